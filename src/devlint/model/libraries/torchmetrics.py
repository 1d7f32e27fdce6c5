"""TorchMetrics."""

from __future__ import annotations

from devlint.model.libraries.record import Base, Library, bases

# Metric._apply moves the states that add_state made, which are no buffers.
_METRIC = Base(device=True, adds_state=True, moves_more=True)

LIBRARY = Library(
    bases={
        **bases(
            _METRIC,
            """
            AUROC Accuracy AveragePrecision BLEUScore BootStrapper CHRFScore CalibrationError CatMetric
            CharErrorRate ClasswiseWrapper CohenKappa ConcordanceCorrCoef ConfusionMatrix CosineSimilarity
            CramersV CriticalSuccessIndex ErrorRelativeGlobalDimensionlessSynthesis ExactMatch
            ExplainedVariance ExtendedEditDistance F1Score FBetaScore FleissKappa HammingDistance HingeLoss
            JaccardIndex KLDivergence KendallRankCorrCoef LogAUC LogCoshError MatchErrorRate MatthewsCorrCoef
            MaxMetric MeanAbsoluteError MeanAbsolutePercentageError MeanMetric MeanSquaredError
            MeanSquaredLogError Metric MetricCollection MetricTracker MinMaxMetric MinMetric MinkowskiDistance
            ModifiedPanopticQuality MultiScaleStructuralSimilarityIndexMeasure MultioutputWrapper
            MultitaskWrapper NegativePredictiveValue NormalizedRootMeanSquaredError PanopticQuality
            PeakSignalNoiseRatio PearsonCorrCoef PearsonsContingencyCoefficient PermutationInvariantTraining
            Perplexity Precision PrecisionAtFixedRecall PrecisionRecallCurve R2Score ROC Recall
            RecallAtFixedPrecision RelativeAverageSpectralError RelativeSquaredError RetrievalFallOut
            RetrievalHitRate RetrievalMAP RetrievalMRR RetrievalNormalizedDCG RetrievalPrecision
            RetrievalPrecisionRecallCurve RetrievalRPrecision RetrievalRecall RetrievalRecallAtFixedPrecision
            RootMeanSquaredErrorUsingSlidingWindow RunningMean RunningSum SQuAD SacreBLEUScore
            ScaleInvariantSignalDistortionRatio ScaleInvariantSignalNoiseRatio SensitivityAtSpecificity
            SignalDistortionRatio SignalNoiseRatio SpearmanCorrCoef Specificity SpecificityAtSensitivity
            SpectralAngleMapper SpectralDistortionIndex StatScores StructuralSimilarityIndexMeasure SumMetric
            SymmetricMeanAbsolutePercentageError TheilsU TotalVariation TranslationEditRate TschuprowsT
            TweedieDevianceScore UniversalImageQualityIndex WeightedMeanAbsolutePercentageError WordErrorRate
            WordInfoLost WordInfoPreserved
            """,
            "torchmetrics",
        ),
        **bases(
            _METRIC,
            """
            BaseAggregator CatMetric MaxMetric MeanMetric Metric MinMetric Running RunningMean RunningSum
            SumMetric
            """,
            "torchmetrics.aggregation",
        ),
        **bases(
            _METRIC,
            """
            ComplexScaleInvariantSignalNoiseRatio DeepNoiseSuppressionMeanOpinionScore
            NonIntrusiveSpeechQualityAssessment PerceptualEvaluationSpeechQuality PermutationInvariantTraining
            ScaleInvariantSignalDistortionRatio ScaleInvariantSignalNoiseRatio
            ShortTimeObjectiveIntelligibility SignalDistortionRatio SignalNoiseRatio
            SourceAggregatedSignalDistortionRatio SpeechReverberationModulationEnergyRatio
            """,
            "torchmetrics.audio",
        ),
        **bases(
            _METRIC,
            """
            AUROC Accuracy AveragePrecision BinaryAUROC BinaryAccuracy BinaryAveragePrecision
            BinaryCalibrationError BinaryCohenKappa BinaryConfusionMatrix BinaryEER BinaryF1Score
            BinaryFBetaScore BinaryFairness BinaryGroupStatRates BinaryHammingDistance BinaryHingeLoss
            BinaryJaccardIndex BinaryLogAUC BinaryMatthewsCorrCoef BinaryNegativePredictiveValue
            BinaryPrecision BinaryPrecisionAtFixedRecall BinaryPrecisionRecallCurve BinaryROC BinaryRecall
            BinaryRecallAtFixedPrecision BinarySensitivityAtSpecificity BinarySpecificity
            BinarySpecificityAtSensitivity BinaryStatScores CalibrationError CohenKappa ConfusionMatrix EER
            ExactMatch F1Score FBetaScore HammingDistance HingeLoss JaccardIndex LogAUC MatthewsCorrCoef
            MulticlassAUROC MulticlassAccuracy MulticlassAveragePrecision MulticlassCalibrationError
            MulticlassCohenKappa MulticlassConfusionMatrix MulticlassEER MulticlassExactMatch
            MulticlassF1Score MulticlassFBetaScore MulticlassHammingDistance MulticlassHingeLoss
            MulticlassJaccardIndex MulticlassLogAUC MulticlassMatthewsCorrCoef
            MulticlassNegativePredictiveValue MulticlassPrecision MulticlassPrecisionAtFixedRecall
            MulticlassPrecisionRecallCurve MulticlassROC MulticlassRecall MulticlassRecallAtFixedPrecision
            MulticlassSensitivityAtSpecificity MulticlassSpecificity MulticlassSpecificityAtSensitivity
            MulticlassStatScores MultilabelAUROC MultilabelAccuracy MultilabelAveragePrecision
            MultilabelConfusionMatrix MultilabelCoverageError MultilabelEER MultilabelExactMatch
            MultilabelF1Score MultilabelFBetaScore MultilabelHammingDistance MultilabelJaccardIndex
            MultilabelLogAUC MultilabelMatthewsCorrCoef MultilabelNegativePredictiveValue MultilabelPrecision
            MultilabelPrecisionAtFixedRecall MultilabelPrecisionRecallCurve MultilabelROC
            MultilabelRankingAveragePrecision MultilabelRankingLoss MultilabelRecall
            MultilabelRecallAtFixedPrecision MultilabelSensitivityAtSpecificity MultilabelSpecificity
            MultilabelSpecificityAtSensitivity MultilabelStatScores NegativePredictiveValue Precision
            PrecisionAtFixedRecall PrecisionRecallCurve ROC Recall RecallAtFixedPrecision
            SensitivityAtSpecificity Specificity SpecificityAtSensitivity StatScores
            """,
            "torchmetrics.classification",
        ),
        **bases(
            _METRIC,
            """
            AdjustedMutualInfoScore AdjustedRandScore CalinskiHarabaszScore ClusterAccuracy CompletenessScore
            DaviesBouldinScore DunnIndex FowlkesMallowsIndex HomogeneityScore MutualInfoScore
            NormalizedMutualInfoScore RandScore VMeasureScore
            """,
            "torchmetrics.clustering",
        ),
        **bases(
            _METRIC,
            """
            CompleteIntersectionOverUnion DistanceIntersectionOverUnion GeneralizedIntersectionOverUnion
            IntersectionOverUnion MeanAveragePrecision ModifiedPanopticQuality PanopticQuality
            """,
            "torchmetrics.detection",
        ),
        **bases(
            _METRIC,
            """
            DeepImageStructureAndTextureSimilarity ErrorRelativeGlobalDimensionlessSynthesis
            FrechetInceptionDistance InceptionScore KernelInceptionDistance
            LearnedPerceptualImagePatchSimilarity MemorizationInformedFrechetInceptionDistance
            MultiScaleStructuralSimilarityIndexMeasure PeakSignalNoiseRatio
            PeakSignalNoiseRatioWithBlockedEffect PerceptualPathLength QualityWithNoReference
            RelativeAverageSpectralError RootMeanSquaredErrorUsingSlidingWindow SpatialCorrelationCoefficient
            SpatialDistortionIndex SpectralAngleMapper SpectralDistortionIndex
            StructuralSimilarityIndexMeasure TotalVariation UniversalImageQualityIndex
            VisualInformationFidelity
            """,
            "torchmetrics.image",
        ),
        **bases(
            _METRIC,
            """
            CLIPImageQualityAssessment CLIPScore LipVertexError
            """,
            "torchmetrics.multimodal",
        ),
        **bases(
            _METRIC,
            """
            CramersV FleissKappa PearsonsContingencyCoefficient TheilsU TschuprowsT
            """,
            "torchmetrics.nominal",
        ),
        **bases(
            _METRIC,
            """
            ConcordanceCorrCoef ContinuousRankedProbabilityScore CosineSimilarity CriticalSuccessIndex
            ExplainedVariance JensenShannonDivergence KLDivergence KendallRankCorrCoef LogCoshError
            MeanAbsoluteError MeanAbsolutePercentageError MeanSquaredError MeanSquaredLogError
            MinkowskiDistance NormalizedRootMeanSquaredError PearsonCorrCoef R2Score RelativeSquaredError
            SpearmanCorrCoef SymmetricMeanAbsolutePercentageError TweedieDevianceScore
            WeightedMeanAbsolutePercentageError
            """,
            "torchmetrics.regression",
        ),
        **bases(
            _METRIC,
            """
            RetrievalAUROC RetrievalFallOut RetrievalHitRate RetrievalMAP RetrievalMRR RetrievalNormalizedDCG
            RetrievalPrecision RetrievalPrecisionRecallCurve RetrievalRPrecision RetrievalRecall
            RetrievalRecallAtFixedPrecision
            """,
            "torchmetrics.retrieval",
        ),
        **bases(
            _METRIC,
            """
            DiceScore GeneralizedDiceScore HausdorffDistance MeanIoU
            """,
            "torchmetrics.segmentation",
        ),
        **bases(
            _METRIC,
            """
            ProcrustesDisparity
            """,
            "torchmetrics.shape",
        ),
        **bases(
            _METRIC,
            """
            BERTScore BLEUScore CHRFScore CharErrorRate EditDistance ExtendedEditDistance InfoLM
            MatchErrorRate Perplexity ROUGEScore SQuAD SacreBLEUScore TranslationEditRate WordErrorRate
            WordInfoLost WordInfoPreserved
            """,
            "torchmetrics.text",
        ),
        **bases(
            _METRIC,
            """
            VideoMultiMethodAssessmentFusion
            """,
            "torchmetrics.video",
        ),
        **bases(
            _METRIC,
            """
            BinaryTargetTransformer BootStrapper ClasswiseWrapper FeatureShare LambdaInputTransformer
            MetricInputTransformer MetricTracker MinMaxMetric MultioutputWrapper MultitaskWrapper Running
            """,
            "torchmetrics.wrappers",
        ),
        "torchmetrics.metric.Metric": _METRIC,
        "torchmetrics.collections.MetricCollection": _METRIC,
        "torchmetrics.wrappers.abstract.WrapperMetric": _METRIC,
        "torchmetrics.image.fid.FrechetInceptionDistance": _METRIC,
        "torchmetrics.image.lpip.LearnedPerceptualImagePatchSimilarity": _METRIC,
        "torchmetrics.image.inception.InceptionScore": _METRIC,
        "torchmetrics.detection.mean_ap.MeanAveragePrecision": _METRIC,
        "pytorch_lightning.metrics.Metric": _METRIC,
        "pytorch_lightning.metrics.metric.Metric": _METRIC,
    },
)
