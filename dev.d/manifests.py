#!/usr/bin/env python3
"""Checks of deploy/kubernetes/ and of the settings in deploy/systemd/ that a schema cannot make. ./dev deploy calls it.

    dev.d/manifests.py MANIFESTS      the output of kubectl kustomize; needs PyYAML
"""
import re
import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
OBJECTS = [
    it for file in (Path(sys.argv[1]), ROOT / "deploy/kubernetes/secrets.example.yaml") for it in yaml.safe_load_all(file.read_text()) if it
]
PODS = [(it, it["spec"]["template"]["spec"]) for it in OBJECTS if it["kind"] in ("Deployment", "Job")]


def of_kind(kind):
    return [it for it in OBJECTS if it["kind"] == kind]


def documented(*sections):
    """The settings in these generated tables of docs/CONFIGURATION.md."""
    text = (ROOT / "docs/CONFIGURATION.md").read_text()
    tables = [re.search(f"<!-- begin {section} -->(.*?)<!-- end {section} -->", text, re.S)[1] for section in sections]
    return set(re.findall(r"^\| `(GUILDHALL_\w+)`", "\n".join(tables), re.M))


KNOWN = {"servers": documented("both"), "api": documented("both", "api"), "workers": documented("both", "workers")}
KNOWN |= {"migrate": KNOWN["servers"], "site": {"GUILDHALL_SITE_API"}}  # deploy/container.caddy reads the last one


def unknown_settings():
    """A source that does not exist is named by itself."""
    sources = {("configMapRef", it["metadata"]["name"]): set(it["data"]) for it in of_kind("ConfigMap")}
    sources |= {("secretRef", it["metadata"]["name"]): set(it["stringData"]) for it in of_kind("Secret")}
    for item, pod in PODS:
        component, container = item["metadata"]["labels"]["app.kubernetes.io/component"], pod["containers"][0]
        names = {entry["name"] for entry in container.get("env", [])}
        for ((kind, reference),) in (source.items() for source in container.get("envFrom", [])):
            names |= sources.get((kind, reference["name"]), {f"{kind} {reference['name']} does not exist"})
        yield from (f"{component}: {name}" for name in names - KNOWN[component])


def unknown_settings_of_units():
    folder = ROOT / "deploy/systemd"
    files = [(path.stem, path) for path in folder.glob("*.env")]
    files += [("workers", path) for path in (folder / "guildhall-workers.service.d").iterdir()]
    return [f"{path.name}: {name}" for kind, path in files for name in set(re.findall(r"(GUILDHALL_\w+)=", path.read_text())) - KNOWN[kind]]


def unrestricted():
    """What differs from the standard `restricted` for pods, and from a read-only file system."""
    expected = {"runAsNonRoot": True, "runAsUser": 10001, "seccompProfile": {"type": "RuntimeDefault"}, "allowPrivilegeEscalation": False}
    expected |= {"readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]}, "automountServiceAccountToken": False}
    for item, pod in PODS:
        found = pod | pod["securityContext"] | pod["containers"][0]["securityContext"]
        yield from (f"{item['metadata']['name']}: {name}" for name, value in expected.items() if found.get(name) != value)


def deployments_that_may_stop():
    """Deployments without two replicas, a careful update, the probes or a disruption budget."""
    budgets = [it["spec"] for it in of_kind("PodDisruptionBudget")]
    for item in of_kind("Deployment"):
        spec, labels, pod = item["spec"], item["spec"]["template"]["metadata"]["labels"], item["spec"]["template"]["spec"]
        paths = [pod["containers"][0][f"{kind}Probe"]["httpGet"]["path"] for kind in ("startup", "readiness", "liveness")]
        is_site = item["metadata"]["name"] == "guildhall-site"
        expected = {
            "replicas": spec["replicas"] >= 2,
            "strategy": spec["strategy"]["rollingUpdate"]["maxUnavailable"] == 0,
            "probes": set(paths) == {"/"} if is_site else set(paths) <= {"/healthz", "/readyz"} and paths[2] == "/healthz",
            "selector": spec["selector"]["matchLabels"].items() <= labels.items(),
            "disruption budget": any(it["minAvailable"] == 1 and it["selector"]["matchLabels"] == labels for it in budgets),
            "grace period": pod["terminationGracePeriodSeconds"] > 30,
        }
        yield from (f"{item['metadata']['name']}: {name}" for name, holds in expected.items() if not holds)


def wrong_services():
    """Services that select no pod, or name a port that the pods do not have."""
    targets = [(it["spec"]["template"]["metadata"]["labels"], pod["containers"][0].get("ports", [])) for it, pod in PODS]
    for service in of_kind("Service"):
        selector, port = service["spec"]["selector"], service["spec"]["ports"][0]["targetPort"]
        if not any(selector.items() <= labels.items() and port in [p["name"] for p in ports] for labels, ports in targets):
            yield service["metadata"]["name"]


for text, errors in {
    "docs/CONFIGURATION.md has each setting of the manifests": unknown_settings(),
    "docs/CONFIGURATION.md has each setting of deploy/systemd/": unknown_settings_of_units(),
    "the example of the Secrets has no values": [it["metadata"]["name"] for it in of_kind("Secret") if any(it["stringData"].values())],
    "the pods are restricted": unrestricted(),
    "an update or a drained node leaves a ready pod of each Deployment": deployments_that_may_stop(),
    "each Service has pods and a port": wrong_services(),
}.items():
    if found := list(errors):
        sys.exit("\n".join(f"NOT {text}: {error}" for error in found))
    print(f"ok: {text}")
