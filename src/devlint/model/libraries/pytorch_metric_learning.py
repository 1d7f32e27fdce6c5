"""pytorch-metric-learning."""

from __future__ import annotations

from devlint.model.libraries.record import PLAIN, Library, bases

LIBRARY = Library(
    bases={
        **bases(
            PLAIN,
            """
            AngularLoss ArcFaceLoss BaseLossWrapper BaseMetricLossFunction CircleLoss ContrastiveLoss
            CosFaceLoss CrossBatchMemory DynamicSoftMarginLoss FastAPLoss GeneralizedLiftedStructureLoss
            GenericPairLoss HistogramLoss InstanceLoss IntraPairVarianceLoss LargeMarginSoftmaxLoss
            LiftedStructureLoss ManifoldLoss MarginLoss MultiSimilarityLoss MultipleLosses NCALoss NPairsLoss
            NTXentLoss NormalizedSoftmaxLoss P2SGradLoss PNPLoss ProxyAnchorLoss ProxyNCALoss RankedListLoss
            SelfSupervisedLoss SignalToNoiseRatioContrastiveLoss SmoothAPLoss SoftTripleLoss SphereFaceLoss
            SubCenterArcFaceLoss SupConLoss ThresholdConsistentMarginLoss TripletMarginLoss TupletMarginLoss
            VICRegLoss
            """,
            "pytorch_metric_learning.losses",
        ),
        **bases(
            PLAIN,
            """
            AngularMiner BaseMiner BatchEasyHardMiner BatchHardMiner DistanceWeightedMiner
            EmbeddingsAlreadyPackagedAsTriplets HDCMiner MultiSimilarityMiner PairMarginMiner
            TripletMarginMiner UniformHistogramMiner
            """,
            "pytorch_metric_learning.miners",
        ),
        **bases(
            PLAIN,
            """
            BaseDistance BatchedDistance CosineSimilarity DotProductSimilarity LpDistance SNRDistance
            """,
            "pytorch_metric_learning.distances",
        ),
        **bases(
            PLAIN,
            """
            AvgNonZeroReducer BaseReducer ClassWeightedReducer DivisorReducer DoNothingReducer MeanReducer
            MultipleReducers PerAnchorReducer SumReducer ThresholdReducer
            """,
            "pytorch_metric_learning.reducers",
        ),
        **bases(
            PLAIN,
            """
            BaseRegularizer CenterInvariantRegularizer LpRegularizer RegularFaceRegularizer
            SparseCentersRegularizer ZeroMeanRegularizer
            """,
            "pytorch_metric_learning.regularizers",
        ),
    },
)
