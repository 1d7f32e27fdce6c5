"""PyTorch Forecasting."""

from __future__ import annotations

from devlint.model.libraries.record import Base, Library, bases

# Models are LightningModules, metrics those of TorchMetrics.
_MODEL = Base(device=True, auto=True)
_METRIC = Base(device=True, adds_state=True, moves_more=True)

LIBRARY = Library(
    bases={
        **bases(
            _MODEL,
            """
            AutoRegressiveBaseModel AutoRegressiveBaseModelWithCovariates BaseModel BaseModelWithCovariates
            Baseline DecoderMLP DeepAR NBeats NBeatsKAN NHiTS RecurrentNetwork TemporalFusionTransformer
            TiDEModel
            """,
            "pytorch_forecasting",
            "pytorch_forecasting.models",
        ),
        **bases(_MODEL, "TimeXer xLSTMTime", "pytorch_forecasting.models"),
        **bases(Base(), "GRU LSTM MultiEmbedding", "pytorch_forecasting", "pytorch_forecasting.models"),
        **bases(
            _METRIC,
            """
            BetaDistributionLoss CrossEntropy DistributionLoss ImplicitQuantileNetworkDistributionLoss
            LogNormalDistributionLoss MAE MAPE MASE MQF2DistributionLoss Metric MultiHorizonMetric MultiLoss
            MultivariateDistributionLoss MultivariateNormalDistributionLoss NegativeBinomialDistributionLoss
            NormalDistributionLoss PoissonLoss QuantileLoss RMSE SMAPE TweedieLoss
            """,
            "pytorch_forecasting.metrics",
        ),
    },
)
