"""Stable-Baselines3."""

from __future__ import annotations

from devlint.model.libraries.record import PLAIN, Base, Library, bases

LIBRARY = Library(
    bases={
        **bases(
            Base(device=True),
            """
            ActorCriticCnnPolicy ActorCriticPolicy BaseModel BasePolicy ContinuousCritic
            MultiInputActorCriticPolicy
            """,
            "stable_baselines3.common.policies",
        ),
        **bases(
            PLAIN,
            """
            BaseFeaturesExtractor CombinedExtractor FlattenExtractor MlpExtractor NatureCNN
            """,
            "stable_baselines3.common.torch_layers",
        ),
        **bases(
            Base(device=True),
            """
            CnnPolicy DQNPolicy MlpPolicy MultiInputPolicy QNetwork
            """,
            "stable_baselines3.dqn.policies",
        ),
        **bases(
            Base(device=True),
            """
            Actor CnnPolicy MlpPolicy MultiInputPolicy SACPolicy
            """,
            "stable_baselines3.sac.policies",
        ),
        **bases(
            Base(device=True),
            """
            Actor CnnPolicy MlpPolicy MultiInputPolicy TD3Policy
            """,
            "stable_baselines3.td3.policies",
        ),
        **bases(
            Base(device=True),
            """
            CnnPolicy MlpPolicy
            """,
            "stable_baselines3.ppo.policies",
        ),
    },
    # What a policy and its features extractor are handed is on their device.
    auto_device={
        "stable_baselines3.common.policies.ActorCriticPolicy": frozenset(
            {"evaluate_actions", "extract_features", "forward", "predict_values"}
        ),
        "stable_baselines3.common.torch_layers.BaseFeaturesExtractor": frozenset({"forward"}),
    },
)
