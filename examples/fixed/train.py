"""Trains the model of model.py on random images, so that it runs anywhere: that is, where there is a GPU."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from model import VisionTransformer


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--resume", default=None)
    return parser.parse_args()


def load_data(batch_size):
    images = torch.randn(256, 3, 32, 32)
    labels = torch.randint(0, 10, (256,))
    return DataLoader(TensorDataset(images, labels), batch_size=batch_size, shuffle=True)


def train_epoch(model, loader, optimizer, device):
    criterion = nn.CrossEntropyLoss(weight=torch.ones(10, device=device))
    total = torch.zeros(1, device=device)
    for images, labels in loader:
        images = images.to(device)
        labels = labels.to(device)
        loss = criterion(model(images), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.detach()
    return total.item() / len(loader)


@torch.no_grad()
def evaluate(model, loader):
    right = 0
    device = next(model.parameters()).device
    for images, labels in loader:
        images, labels = images.to(device), labels.to(device)
        right += (model(images).argmax(dim=1) == labels).sum().item()
    return right / len(loader.dataset)


def main():
    args = parse_args()
    device = torch.device(args.device)
    if device.type == "cuda":
        torch.backends.cudnn.benchmark = True

    model = VisionTransformer().to(device)
    if args.resume:
        model.load_state_dict(torch.load(args.resume, map_location=device))
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)

    loader = load_data(args.batch_size)
    for epoch in range(args.epochs):
        loss = train_epoch(model, loader, optimizer, device)
        print(f"epoch {epoch}: loss {loss:.3f}, accuracy {evaluate(model, loader):.1%}")
    torch.save(model.state_dict(), "model.pt")


if __name__ == "__main__":
    main()
