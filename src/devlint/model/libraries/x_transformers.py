"""x-transformers."""

from __future__ import annotations

from devlint.model.libraries.record import PLAIN, Library, bases

LIBRARY = Library(
    bases={
        **bases(
            PLAIN,
            """
            AdaptiveRMSNorm Attention AttentionPool AutoregressiveWrapper BeliefStateWrapper
            ContinuousAutoregressiveWrapper ContinuousTransformerWrapper CrossAttender DPO Decoder Encoder
            EntropyBasedTokenizer FeedForward MultiInputTransformerWrapper NeoMLP NextLatentWrapper
            NonAutoregressiveWrapper PrefixDecoder RMSNorm TransformerBlock TransformerWrapper
            ViTransformerWrapper XLAutoregressiveWrapper XTransformer XValAutoregressiveWrapper
            XValTransformerWrapper
            """,
            "x_transformers",
        ),
        **bases(
            PLAIN,
            """
            AbsolutePositionalEmbedding AdaptiveLayerNorm AdaptiveLayerScale AdaptiveRMSNorm
            AlibiPositionalBias Attention AttentionLayers AttentionPool AttentionResidual CoPE ConcatCombine
            CrossAttender DataDependentAlibi Decoder Derf DynamicLIMe DynamicPositionBias DynamicTanh Encoder
            FeedForward FoldAxially GLU GRUGating GatedMultiResidual HyperConnection LayerNorm LayerScale
            LoRALinear MVSplitResidualUpdate MultiheadRMSNorm OrthogonalResidualUpdate
            PerRowDataDependentAlibi PolarEmbedding PrefixDecoder RMSNorm RelativePositionBias
            RelativeProjPositionalBias ReluSquared Residual RotaryEmbedding Scale ScaleNorm
            ScaledSinusoidalEmbedding ShiftTokens SimpleRMSNorm SoLU TokenEmbedding TransformerBlock
            TransformerWrapper ViTransformerWrapper XTransformer
            """,
            "x_transformers.x_transformers",
        ),
    },
)
