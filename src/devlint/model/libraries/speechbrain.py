"""SpeechBrain."""

from __future__ import annotations

from devlint.model.libraries.record import PLAIN, Base, Library, bases
from devlint.model.torch.effects import words

LIBRARY = Library(
    bases={
        **bases(
            PLAIN,
            """
            Conv1d Conv2d ConvTranspose1d DepthwiseSeparableConv1d DepthwiseSeparableConv2d GaborConv1d
            SincConv
            """,
            "speechbrain.nnet.CNN",
        ),
        **bases(
            PLAIN,
            """
            AttentionalRNNDecoder GRU GRUCell LSTM LSTMCell LiGRU LiGRU_Layer QuasiRNN QuasiRNNLayer RNN
            RNNCell SLiGRU SLiGRU_Layer
            """,
            "speechbrain.nnet.RNN",
        ),
        **bases(
            PLAIN,
            """
            GumbelSoftmax Softmax Swish
            """,
            "speechbrain.nnet.activations",
        ),
        **bases(
            PLAIN,
            """
            ContentBasedAttention KeyValueAttention LocationAwareAttention MultiheadAttention
            PositionalwiseFeedForward PrecomputedRoPESinusoids RelPosEncXL RelPosMHAXL RoPEMHA
            """,
            "speechbrain.nnet.attention",
        ),
        **bases(
            PLAIN,
            """
            Autoencoder NormalizingAutoencoder VariationalAutoencoder
            """,
            "speechbrain.nnet.autoencoders",
        ),
        **bases(
            PLAIN,
            """
            ConnectBlocks LengthsCapableSequential ModuleList Sequential
            """,
            "speechbrain.nnet.containers",
        ),
        **bases(
            PLAIN,
            """
            Dropout2d
            """,
            "speechbrain.nnet.dropout",
        ),
        **bases(
            PLAIN,
            """
            Embedding
            """,
            "speechbrain.nnet.embedding",
        ),
        **bases(
            PLAIN,
            """
            Linear
            """,
            "speechbrain.nnet.linear",
        ),
        **bases(
            PLAIN,
            """
            AdditiveAngularMargin AngularMargin AutoencoderLoss ContrastiveLoss Laplacian
            LaplacianVarianceLoss LogSoftmaxWrapper PitWrapper VariationalAutoencoderLoss
            """,
            "speechbrain.nnet.losses",
        ),
        **bases(
            PLAIN,
            """
            BatchNorm1d BatchNorm2d ExponentialMovingAverage GroupNorm InstanceNorm1d InstanceNorm2d LayerNorm
            PCEN
            """,
            "speechbrain.nnet.normalization",
        ),
        **bases(
            PLAIN,
            """
            AdaptivePool AttentionPooling GaussianLowpassPooling Pooling1d Pooling2d StatisticsPooling
            """,
            "speechbrain.nnet.pooling",
        ),
        **bases(
            PLAIN,
            """
            GumbelVectorQuantizer RandomProjectionQuantizer
            """,
            "speechbrain.nnet.quantisers",
        ),
        **bases(
            PLAIN,
            """
            AttentionBlock AttentionPool2d DecoderUNetModel Downsample DownsamplingPadding EmbeddingProjection
            EncoderUNetModel QKVAttention ResBlock TimestepBlock TimestepEmbedSequential UNetModel
            UNetNormalizingAutoencoder Upsample
            """,
            "speechbrain.nnet.unet",
        ),
        **bases(
            PLAIN,
            """
            Fbank Leaf MFCC StreamingFeatureWrapper VocalFeatures
            """,
            "speechbrain.lobes.features",
        ),
        **bases(
            PLAIN,
            """
            CNN_Block CRDNN DNN_Block
            """,
            "speechbrain.lobes.models.CRDNN",
        ),
        **bases(
            PLAIN,
            """
            AttentiveStatisticsPooling BatchNorm1d Classifier Conv1d ECAPA_TDNN Res2NetBlock SEBlock
            SERes2NetBlock TDNNBlock
            """,
            "speechbrain.lobes.models.ECAPA_TDNN",
        ),
        **bases(
            PLAIN,
            """
            BranchformerEncoder BranchformerEncoderLayer ConvolutionBranch
            """,
            "speechbrain.lobes.models.transformer.Branchformer",
        ),
        **bases(
            PLAIN,
            """
            ConformerDecoder ConformerDecoderLayer ConformerEncoder ConformerEncoderLayer ConvolutionModule
            """,
            "speechbrain.lobes.models.transformer.Conformer",
        ),
        **bases(
            PLAIN,
            """
            NormalizedEmbedding PositionalEncoding TransformerDecoder TransformerDecoderLayer
            TransformerEncoder TransformerEncoderLayer TransformerInterface
            """,
            "speechbrain.lobes.models.transformer.Transformer",
        ),
        **bases(
            PLAIN,
            """
            EncoderWrapper TransformerASR
            """,
            "speechbrain.lobes.models.transformer.TransformerASR",
        ),
        **bases(
            PLAIN,
            """
            TransformerLM
            """,
            "speechbrain.lobes.models.transformer.TransformerLM",
        ),
        **bases(
            PLAIN,
            """
            CNNTransformerSE
            """,
            "speechbrain.lobes.models.transformer.TransformerSE",
        ),
        **bases(
            PLAIN,
            """
            TransformerST
            """,
            "speechbrain.lobes.models.transformer.TransformerST",
        ),
        **bases(
            Base(moves_more=True),
            """
            ContextWindow DCT Deltas DynamicRangeCompression Filterbank GlobalNorm ISTFT InputNormalization
            MinLevelNorm STFT
            """,
            "speechbrain.processing.features",
        ),
    },
    self_moving=words("PaddedBatch", "speechbrain.dataio.batch."),
)
