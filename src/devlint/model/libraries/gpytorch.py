"""GPyTorch."""

from __future__ import annotations

from devlint.model.libraries.record import PLAIN, Base, Library, bases

LIBRARY = Library(
    bases={
        **bases(
            Base(moves_more=True),
            """
            AbstractModelList AbstractVariationalGP ApproximateGP ExactGP GP IndependentModelList
            PyroVariationalGP VariationalGP
            """,
            "gpytorch.models",
        ),
        **bases(
            Base(device=True),
            """
            AdditiveKernel AdditiveStructureKernel ArcKernel ConstantKernel CosineKernel CylindricalKernel
            DistributionalInputKernel GaussianSymmetrizedKLKernel GridInterpolationKernel GridKernel
            HammingIMQKernel IndexKernel InducingPointKernel Kernel LCMKernel LinearKernel Matern52KernelGrad
            MaternKernel MultiDeviceKernel MultitaskKernel NewtonGirardAdditiveKernel PeriodicKernel
            PiecewisePolynomialKernel PolynomialKernel PolynomialKernelGrad ProductKernel
            ProductStructureKernel RBFKernel RBFKernelGrad RBFKernelGradGrad RFFKernel RQKernel ScaleKernel
            SpectralDeltaKernel SpectralMixtureKernel
            """,
            "gpytorch.kernels",
        ),
        **bases(
            PLAIN,
            """
            ConstantMean ConstantMeanGrad ConstantMeanGradGrad LinearMean LinearMeanGrad LinearMeanGradGrad
            Mean MultitaskMean ZeroMean
            """,
            "gpytorch.means",
        ),
        **bases(
            Base(moves_more=True),
            """
            BernoulliLikelihood BetaLikelihood DirichletClassificationLikelihood FixedNoiseGaussianLikelihood
            GaussianLikelihood GaussianLikelihoodWithMissingObs HadamardGaussianLikelihood
            HeteroskedasticNoise LaplaceLikelihood Likelihood LikelihoodList MultitaskGaussianLikelihood
            NegativeBinomialLikelihood PoissonLikelihood SoftmaxLikelihood StudentTLikelihood
            """,
            "gpytorch.likelihoods",
        ),
        **bases(
            PLAIN,
            """
            DeepApproximateMLL DeepPredictiveLogLikelihood ExactMarginalLogLikelihood
            GammaRobustVariationalELBO LeaveOneOutPseudoLikelihood MarginalLogLikelihood
            PredictiveLogLikelihood SumMarginalLogLikelihood VariationalELBO VariationalELBOEmpirical
            VariationalMarginalLogLikelihood
            """,
            "gpytorch.mlls",
        ),
        **bases(
            PLAIN,
            """
            AdditiveGridInterpolationVariationalStrategy BatchDecoupledVariationalStrategy
            CholeskyVariationalDistribution CiqVariationalStrategy DeltaVariationalDistribution
            GridInterpolationVariationalStrategy IndependentMultitaskVariationalStrategy
            LMCVariationalStrategy LargeBatchVariationalStrategy MeanFieldVariationalDistribution
            MultitaskVariationalStrategy NNVariationalStrategy NaturalVariationalDistribution
            OrthogonallyDecoupledVariationalStrategy TrilNaturalVariationalDistribution
            UnwhitenedVariationalStrategy VariationalStrategy
            """,
            "gpytorch.variational",
        ),
        **bases(
            Base(moves_more=True),
            """
            GreaterThan Interval LessThan Positive
            """,
            "gpytorch.constraints",
        ),
        **bases(
            Base(moves_more=True),
            """
            GammaPrior HalfCauchyPrior HalfNormalPrior HorseshoePrior LKJCholeskyFactorPrior
            LKJCovariancePrior LKJPrior LogNormalPrior MultivariateNormalPrior NormalPrior Prior
            SmoothedBoxPrior UniformPrior
            """,
            "gpytorch.priors",
        ),
        "gpytorch.Module": PLAIN,
        "gpytorch.ExactMarginalLogLikelihood": PLAIN,
        "gpytorch.module.Module": PLAIN,
    },
)
