"""PyTorch Geometric."""

from __future__ import annotations

from devlint.model.libraries.record import PLAIN, Library, bases
from devlint.model.torch.effects import GROWN, JOINED, Mix, Op, Out, table, words

_LOADERS = words(
    """
        ClusterLoader DataLoader DenseDataLoader GraphSAINTEdgeSampler GraphSAINTNodeSampler
        GraphSAINTRandomWalkSampler HGTLoader LinkLoader LinkNeighborLoader NeighborLoader NeighborSampler
        NodeLoader RandomNodeLoader ShaDowKHopSampler TemporalDataLoader
        """,
    "torch_geometric.loader.",
) | {"torch_geometric.data.DataLoader"}

LIBRARY = Library(
    bases={
        **bases(
            PLAIN,
            """
            AGNNConv APPNP ARGA ARGVA ARLinkPredictor ARMAConv ASAPooling Aggregation AntiSymmetricConv
            AttentionalAggregation AttentiveFP BatchNorm CGConv ChebConv ClusterGCNConv ClusterPooling ComplEx
            CorrectAndSmooth CuGraphGATConv CuGraphRGCNConv CuGraphSAGEConv DMoNPooling DNAConv DeepGCNLayer
            DeepGraphInfomax DeepSetsAggregation DegreeScalerAggregation DenseGATConv DenseGCNConv
            DenseGINConv DenseGraphConv DenseSAGEConv DiffGroupNorm DimeNet DimeNetPlusPlus DirGNNConv
            DistMult DynamicEdgeConv ECConv EGConv EdgeCNN EdgeConv EdgePooling EquilibriumAggregation FAConv
            FastRGCNConv FeaStConv FiLMConv FusedGATConv GAE GAT GATConv GATv2Conv GCN GCN2Conv GCNConv
            GENConv GIN GINConv GINEConv GMMConv GNNFF GPSConv GPSE GPSENodeEncoder GRUAggregation
            GatedGraphConv GeneralConv GlobalAttention GraphConv GraphMultisetTransformer GraphNorm GraphSAGE
            GraphSizeNorm GraphUNet GravNetConv GroupAddRev HANConv HEATConv HGTConv HeteroBatchNorm
            HeteroConv HeteroDictLinear HeteroJumpingKnowledge HeteroLayerNorm HeteroLinear HypergraphConv
            InnerProductDecoder InstanceNorm JumpingKnowledge KGEModel LCMAggregation LEConv LGConv LINKX
            LPFormer LSTMAggregation LabelPropagation LayerNorm LightGCN Linear MFConv MLP MLPAggregation
            MaskLabel MaxAggregation MeanAggregation MeanSubtractionNorm MedianAggregation MemPooling
            MeshCNNConv MessageNorm MessagePassing MetaLayer MetaPath2Vec MinAggregation MixHopConv
            MulAggregation MultiAggregation NNConv NeuralFingerprint Node2Vec PANConv PANPooling PDNConv PMLP
            PNA PNAConv PPFConv PairNorm PatchTransformerAggregation PerformerAttention PointConv PointGNNConv
            PointNetConv PointTransformerConv Polynormer PolynormerAttention PositionalEncoding
            PowerMeanAggregation QFormer QuantileAggregation RECT_L RENet RGATConv RGCNConv ResGatedGraphConv
            Reshape RotatE SAGEConv SAGPooling SGConv SGFormer SGFormerAttention SSGConv SchNet Sequential
            Set2Set SetTransformerAggregation SignedConv SignedGCN SimpleConv SoftmaxAggregation
            SortAggregation SplineConv StdAggregation SumAggregation SuperGATConv TAGConv TGNMemory
            TemporalEncoding TopKPooling TransE TransformerConv VGAE VarAggregation
            VariancePreservingAggregation ViSNet WLConv WLConvContinuous XConv
            """,
            "torch_geometric.nn",
        ),
        **bases(
            PLAIN,
            """
            Aggregation AttentionalAggregation DeepSetsAggregation DegreeScalerAggregation
            EquilibriumAggregation GRUAggregation GraphMultisetTransformer LCMAggregation LSTMAggregation
            MLPAggregation MaxAggregation MeanAggregation MedianAggregation MinAggregation MulAggregation
            MultiAggregation PatchTransformerAggregation PowerMeanAggregation QuantileAggregation Set2Set
            SetTransformerAggregation SoftmaxAggregation SortAggregation StdAggregation SumAggregation
            VarAggregation VariancePreservingAggregation
            """,
            "torch_geometric.nn.aggr",
        ),
        **bases(
            PLAIN,
            """
            AGNNConv APPNP ARMAConv AntiSymmetricConv CGConv ChebConv ClusterGCNConv CuGraphGATConv
            CuGraphRGCNConv CuGraphSAGEConv DNAConv DirGNNConv DynamicEdgeConv ECConv EGConv EdgeConv FAConv
            FastRGCNConv FeaStConv FiLMConv FusedGATConv GATConv GATv2Conv GCN2Conv GCNConv GENConv GINConv
            GINEConv GMMConv GPSConv GatedGraphConv GeneralConv GraphConv GravNetConv HANConv HEATConv HGTConv
            HeteroConv HypergraphConv LEConv LGConv MFConv MeshCNNConv MessagePassing MixHopConv NNConv
            PANConv PDNConv PNAConv PPFConv PointConv PointGNNConv PointNetConv PointTransformerConv RGATConv
            RGCNConv ResGatedGraphConv SAGEConv SGConv SSGConv SignedConv SimpleConv SplineConv SuperGATConv
            TAGConv TransformerConv WLConv WLConvContinuous XConv
            """,
            "torch_geometric.nn.conv",
        ),
        **bases(
            PLAIN,
            """
            DMoNPooling DenseGATConv DenseGCNConv DenseGINConv DenseGraphConv DenseSAGEConv HeteroDictLinear
            HeteroLinear Linear
            """,
            "torch_geometric.nn.dense",
        ),
        **bases(
            PLAIN,
            """
            ARGA ARGVA ARLinkPredictor AttentiveFP CorrectAndSmooth DeepGCNLayer DeepGraphInfomax DimeNet
            DimeNetPlusPlus EdgeCNN GAE GAT GCN GIN GNNFF GPSE GPSENodeEncoder GraphSAGE GraphUNet GroupAddRev
            HeteroJumpingKnowledge InnerProductDecoder JumpingKnowledge LINKX LPFormer LabelPropagation
            LightGCN MLP MaskLabel MetaLayer MetaPath2Vec NeuralFingerprint Node2Vec PMLP PNA Polynormer
            RECT_L RENet SGFormer SchNet SignedGCN TGNMemory VGAE ViSNet
            """,
            "torch_geometric.nn.models",
        ),
        **bases(
            PLAIN,
            """
            BatchNorm DiffGroupNorm GraphNorm GraphSizeNorm HeteroBatchNorm HeteroLayerNorm InstanceNorm
            LayerNorm MeanSubtractionNorm MessageNorm PairNorm
            """,
            "torch_geometric.nn.norm",
        ),
        **bases(
            PLAIN,
            """
            ASAPooling ClusterPooling EdgePooling MemPooling PANPooling SAGPooling TopKPooling
            """,
            "torch_geometric.nn.pool",
        ),
        **bases(
            PLAIN,
            """
            MessagePassing
            """,
            "torch_geometric.nn.conv.message_passing",
        ),
    },
    # Data.apply writes into its stores and returns itself.
    self_moving=words(
        "Batch Data HeteroData InMemoryDataset TemporalData",
        "torch_geometric.data.",
    )
    | {
        "torch_geometric.data.batch.Batch",
        "torch_geometric.data.data.BaseData",
        "torch_geometric.data.data.Data",
        "torch_geometric.data.hypergraph_data.HyperGraphData",
    },
    copy_moving=frozenset({"torch_sparse.SparseTensor", "torch_sparse.tensor.SparseTensor"}),
    functions={
        **table(
            JOINED,
            """
            global_add_pool global_max_pool global_mean_pool global_sort_pool
            """,
            "torch_geometric.nn.",
        ),
        **table(JOINED, "scatter segment softmax spmm", "torch_geometric.utils."),
        **table(GROWN, "degree one_hot to_undirected", "torch_geometric.utils."),
        **table(Op(Mix.STRICT, Out.MANY, count=2), "to_dense_batch", "torch_geometric.utils."),
        **table(
            JOINED,
            "scatter scatter_add scatter_mean scatter_mul scatter_softmax scatter_sum",
            "torch_scatter.",
        ),
        **table(Op(Mix.STRICT, Out.MANY, count=2), "scatter_max scatter_min", "torch_scatter."),
    },
    loaders=_LOADERS,
    # torch_geometric.data.Batch.to
    graph_loaders=_LOADERS,
)
