"""AllenNLP."""

from __future__ import annotations

from devlint.model.libraries.record import PLAIN, Library, bases

LIBRARY = Library(
    bases={
        **bases(
            PLAIN,
            """
            BasicClassifier Model MultiTaskModel SimpleTagger
            """,
            "allennlp.models",
        ),
        **bases(
            PLAIN,
            """
            Attention Backbone BiMpmMatching ConditionalRandomField Elmo Embedding FeedForward GatedSum
            Highway InputVariationalDropout LayerNorm MatrixAttention Maxout ResidualWithLayerDropout
            ScalarMix Seq2SeqEncoder Seq2VecEncoder SoftmaxLoss TextFieldEmbedder TimeDistributed
            TokenEmbedder
            """,
            "allennlp.modules",
        ),
        "allennlp.nn.Module": PLAIN,
        **bases(
            PLAIN,
            """
            AugmentedLstmSeq2VecEncoder BagOfEmbeddingsEncoder BertPooler ClsPooler CnnEncoder
            CnnHighwayEncoder GruSeq2VecEncoder LstmSeq2VecEncoder PytorchSeq2VecWrapper RnnSeq2VecEncoder
            Seq2VecEncoder StackedAlternatingLstmSeq2VecEncoder StackedBidirectionalLstmSeq2VecEncoder
            """,
            "allennlp.modules.seq2vec_encoders",
        ),
        **bases(
            PLAIN,
            """
            AugmentedLstmSeq2SeqEncoder ComposeEncoder FeedForwardEncoder GatedCnnEncoder GruSeq2SeqEncoder
            LstmSeq2SeqEncoder PassThroughEncoder PytorchSeq2SeqWrapper PytorchTransformer RnnSeq2SeqEncoder
            Seq2SeqEncoder StackedAlternatingLstmSeq2SeqEncoder StackedBidirectionalLstmSeq2SeqEncoder
            """,
            "allennlp.modules.seq2seq_encoders",
        ),
        **bases(
            PLAIN,
            """
            BagOfWordCountsTokenEmbedder ElmoTokenEmbedder Embedding EmptyEmbedder PassThroughTokenEmbedder
            PretrainedTransformerEmbedder PretrainedTransformerMismatchedEmbedder TokenCharactersEncoder
            TokenEmbedder
            """,
            "allennlp.modules.token_embedders",
        ),
        **bases(
            PLAIN,
            """
            BasicTextFieldEmbedder TextFieldEmbedder
            """,
            "allennlp.modules.text_field_embedders",
        ),
        "allennlp.models.model.Model": PLAIN,
    },
    # The trainer moves each batch before it calls the model.
    auto_device={
        "allennlp.models.Model": frozenset({"forward"}),
        "allennlp.models.model.Model": frozenset({"forward"}),
    },
)
