"""DGL."""

from __future__ import annotations

from devlint.model.libraries.record import PLAIN, Library, bases
from devlint.model.torch.effects import words

LIBRARY = Library(
    bases={
        **bases(
            PLAIN,
            """
            AGNNConv APPNPConv AtomicConv AvgPooling BiasedMHA CFConv ChebConv CuGraphGATConv
            CuGraphRelGraphConv CuGraphSAGEConv DGNConv DeepWalk DegreeEncoder DenseChebConv DenseGraphConv
            DenseSAGEConv DotGatConv EGATConv EGNNConv EGTLayer EdgeConv EdgeGATConv EdgePredictor
            EdgeWeightNorm GATConv GATv2Conv GCN2Conv GINConv GINEConv GMMConv GNNExplainer GatedGCNConv
            GatedGraphConv GlobalAttentionPooling GraphConv GraphormerLayer GroupRevRes HGTConv
            HeteroEmbedding HeteroGNNExplainer HeteroGraphConv HeteroLinear HeteroPGExplainer HeteroSubgraphX
            InducedSetAttentionBlock JumpingKnowledge KNNGraph LabelPropagation LapPosEncoder MaxPooling
            MetaPath2Vec MultiHeadAttention NNConv PGExplainer PMALayer PNAConv PathEncoder RadiusGraph
            RelGraphConv SAGEConv SGConv SegmentedKNNGraph Sequential Set2Set SetAttentionBlock
            SetTransformerDecoder SetTransformerEncoder SortPooling SpatialEncoder SpatialEncoder3d SubgraphX
            SumPooling TAGConv TWIRLSConv TWIRLSUnfoldingAndAttention TransE TransR TypedLinear WeightAndSum
            WeightBasis
            """,
            "dgl.nn",
            "dgl.nn.pytorch",
        ),
        **bases(
            PLAIN,
            """
            AGNNConv APPNPConv AtomicConv CFConv ChebConv CuGraphGATConv CuGraphRelGraphConv CuGraphSAGEConv
            DGNConv DenseChebConv DenseGraphConv DenseSAGEConv DotGatConv EGATConv EGNNConv EdgeConv
            EdgeGATConv EdgeWeightNorm GATConv GATv2Conv GCN2Conv GINConv GINEConv GMMConv GatedGCNConv
            GatedGraphConv GraphConv GroupRevRes HGTConv NNConv PNAConv RelGraphConv SAGEConv SGConv TAGConv
            TWIRLSConv TWIRLSUnfoldingAndAttention
            """,
            "dgl.nn.pytorch.conv",
        ),
        **bases(
            PLAIN,
            """
            AvgPooling GlobalAttentionPooling InducedSetAttentionBlock MaxPooling MultiHeadAttention PMALayer
            Set2Set SetAttentionBlock SetTransformerDecoder SetTransformerEncoder SortPooling SumPooling
            WeightAndSum
            """,
            "dgl.nn.pytorch.glob",
        ),
    },
    # DGLGraph.to returns the graph on the device, or itself if it is there.
    copy_moving=frozenset(
        {"dgl.DGLGraph", "dgl.DGLHeteroGraph", "dgl.heterograph.DGLGraph", "dgl.sparse.SparseMatrix"}
    ),
    # graphbolt's objects write into themselves.
    self_moving=words("MiniBatch SampledSubgraph", "dgl.graphbolt."),
)
