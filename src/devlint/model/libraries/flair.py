"""Flair."""

from __future__ import annotations

from devlint.model.libraries.record import Base, Library, bases
from devlint.model.torch.effects import words

_PLACED = Base(placed=True, moves_more=True)

LIBRARY = Library(
    bases={
        # The constructors move to flair.device.
        **bases(
            _PLACED,
            """
            BytePairEmbeddings CharLMEmbeddings CharacterEmbeddings ConvTransformNetworkImageEmbeddings
            DocumentCNNEmbeddings DocumentEmbeddings DocumentLMEmbeddings DocumentLSTMEmbeddings
            DocumentMeanEmbeddings DocumentPoolEmbeddings DocumentRNNEmbeddings DocumentTFIDFEmbeddings
            ELMoEmbeddings Embeddings FastTextEmbeddings FlairEmbeddings HashEmbeddings
            IdentityImageEmbeddings ImageEmbeddings MuseCrosslingualEmbeddings NILCEmbeddings
            NetworkImageEmbeddings OneHotEmbeddings PooledFlairEmbeddings PrecomputedImageEmbeddings ScalarMix
            SentenceTransformerDocumentEmbeddings StackedEmbeddings TokenEmbeddings
            TransformerDocumentEmbeddings TransformerEmbeddings TransformerJitDocumentEmbeddings
            TransformerJitWordEmbeddings TransformerOnnxDocumentEmbeddings TransformerOnnxWordEmbeddings
            TransformerWordEmbeddings WordEmbeddings
            """,
            "flair.embeddings",
        ),
        **bases(
            _PLACED,
            """
            EntityMentionLinker FewshotClassifier LanguageModel Lemmatizer MultitaskModel
            PrefixedSequenceTagger RelationClassifier RelationExtractor SequenceTagger SpanClassifier
            TARSClassifier TARSTagger TextClassifier TextPairClassifier TextPairRegressor TextRegressor
            TextTripleClassifier TokenClassifier WordTagger
            """,
            "flair.models",
        ),
        **bases(
            _PLACED,
            """
            Classifier DefaultClassifier Model
            """,
            "flair.nn",
        ),
    },
    self_moving=words("DataPair DataPoint DataTriple Sentence Token", "flair.data."),
)
