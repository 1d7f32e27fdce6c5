"""A small vision transformer, as one writes it on a laptop."""

import math

import torch
from torch import nn


class PatchEmbedding(nn.Module):
    def __init__(self, channels=3, patch=4, width=128):
        super().__init__()
        self.project = nn.Conv2d(channels, width, kernel_size=patch, stride=patch)

    def forward(self, images):
        return self.project(images).flatten(2).transpose(1, 2)


class SelfAttention(nn.Module):
    def __init__(self, width=128, heads=4, max_length=256):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        # Tokens attend to those before them only.
        self.register_buffer(
            "causal", torch.tril(torch.ones(max_length, max_length)).bool(), persistent=False
        )

    def forward(self, tokens):
        batch, length, width = tokens.shape
        q, k, v = self.qkv(tokens).view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-2, -1) / math.sqrt(width // self.heads)
        scores = scores.masked_fill(~self.causal[:length, :length], float("-inf"))
        mixed = scores.softmax(dim=-1) @ v
        return self.out(mixed.transpose(1, 2).reshape(batch, length, width))


class Block(nn.Module):
    def __init__(self, width=128, heads=4):
        super().__init__()
        self.attention = SelfAttention(width, heads)
        self.norm = nn.LayerNorm(width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, tokens):
        tokens = tokens + self.attention(self.norm(tokens))
        return tokens + self.mlp(self.norm(tokens))


class VisionTransformer(nn.Module):
    def __init__(self, classes=10, width=128, depth=4, drop=0.1):
        super().__init__()
        self.drop = drop
        self.embed = PatchEmbedding(width=width)
        self.blocks = nn.ModuleList()
        for _ in range(depth):
            self.blocks.append(Block(width))
        self.head = nn.Linear(width, classes)

    def forward(self, images):
        tokens = self.embed(images)
        positions = torch.arange(tokens.shape[1], device=tokens.device)
        tokens = tokens + sinusoid(positions, tokens.shape[2], device=tokens.device)
        if self.training:
            keep = torch.rand(tokens.shape[0], tokens.shape[1], 1, device=tokens.device) > self.drop
            tokens = tokens * keep
        for block in self.blocks:
            tokens = block(tokens)
        return self.head(tokens.mean(dim=1))


def sinusoid(positions, width, device=None):
    frequencies = torch.exp(torch.arange(0, width, 2, device=device) * (-math.log(10000.0) / width))
    angles = positions[:, None] * frequencies[None, :]
    return torch.cat([angles.sin(), angles.cos()], dim=-1)
