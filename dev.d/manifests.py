#!/usr/bin/env python3
"""Checks of deploy/kubernetes/ and of the settings in deploy/systemd/ that a schema cannot make. ./dev deploy calls it.

    dev.d/manifests.py MANIFESTS      the output of kubectl kustomize; needs PyYAML
"""
import json
import re
import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
INTERNAL = {"/metrics", "/healthz", "/readyz"}


def check(errors, text):
    if errors:
        sys.exit("\n".join(f"NOT {text}: {error}" for error in errors))
    print(f"ok: {text}")


def documented(*sections):
    """The settings in these generated tables of docs/CONFIGURATION.md."""
    text = (ROOT / "docs/CONFIGURATION.md").read_text()
    tables = [re.search(f"<!-- begin {section} -->(.*?)<!-- end {section} -->", text, re.S).group(1) for section in sections]
    return set(re.findall(r"^\| `(GUILDHALL_\w+)`", "\n".join(tables), re.M))


def pods(objects):
    """Each Deployment and Job with the specification of its pods."""
    return [(it, it["spec"]["template"]["spec"]) for it in objects if it["kind"] in ("Deployment", "Job")]


def component(item):
    return item["metadata"]["labels"]["app.kubernetes.io/component"]


def settings_of(pod, sources):
    """The names of the environment variables of a pod. A source that does not exist is named by itself."""
    container = pod["containers"][0]
    names = {entry["name"] for entry in container.get("env", [])}
    for source in container.get("envFrom", []):
        ((kind, reference),) = source.items()
        names |= sources.get((kind, reference["name"]), {f"{kind} {reference['name']} does not exist"})
    return names


def unknown_settings(objects):
    sources = {("configMapRef", it["metadata"]["name"]): set(it["data"]) for it in objects if it["kind"] == "ConfigMap"}
    sources |= {("secretRef", it["metadata"]["name"]): set(it["stringData"]) for it in objects if it["kind"] == "Secret"}
    known = {"api": documented("both", "api"), "workers": documented("both", "workers"), "migrate": documented("both")}
    # deploy/container.caddy reads it, and no setting of the services.
    known["site"] = {"GUILDHALL_SITE_API"}
    return [f"{component(it)}: {name}" for it, pod in pods(objects) for name in settings_of(pod, sources) - known[component(it)]]


def unknown_settings_of_units():
    known = {"servers": documented("both"), "api": documented("both", "api"), "workers": documented("both", "workers")}
    files = [(name, ROOT / f"deploy/systemd/{name}.env") for name in known]
    files += [("workers", path) for path in sorted((ROOT / "deploy/systemd/guildhall-workers.service.d").iterdir())]
    return [f"{path.name}: {name}" for kind, path in files for name in set(re.findall(r"(GUILDHALL_\w+)=", path.read_text())) - known[kind]]


def passwords(objects):
    return [f"{it['metadata']['name']}: {name}" for it in objects if it["kind"] == "Secret" for name, value in it["stringData"].items() if value]


def unrestricted(objects):
    """What differs from the standard `restricted` for pods, and from a read-only file system."""
    for item, pod in pods(objects):
        container, of_pod = pod["containers"][0]["securityContext"], pod["securityContext"]
        expected = {
            "runAsNonRoot": of_pod.get("runAsNonRoot") is True and of_pod.get("runAsUser") == 10001,
            "seccompProfile": of_pod.get("seccompProfile") == {"type": "RuntimeDefault"},
            "allowPrivilegeEscalation": container.get("allowPrivilegeEscalation") is False,
            "readOnlyRootFilesystem": container.get("readOnlyRootFilesystem") is True,
            "capabilities": container.get("capabilities") == {"drop": ["ALL"]},
            "automountServiceAccountToken": pod.get("automountServiceAccountToken") is False,
        }
        yield from (f"{item['metadata']['name']}: {name}" for name, holds in expected.items() if not holds)


def deployments_that_may_stop(objects):
    """Deployments without two replicas, a careful update, the probes or a disruption budget."""
    budgets = [it["spec"] for it in objects if it["kind"] == "PodDisruptionBudget"]
    for item, pod in pods(objects):
        if item["kind"] != "Deployment":
            continue
        spec, labels = item["spec"], item["spec"]["template"]["metadata"]["labels"]
        paths = [pod["containers"][0][f"{kind}Probe"]["httpGet"]["path"] for kind in ("startup", "readiness", "liveness")]
        expected = {
            "replicas": spec["replicas"] >= 2,
            "strategy": spec["strategy"]["rollingUpdate"]["maxUnavailable"] == 0,
            "probes": paths == ["/"] * 3 if component(item) == "site" else set(paths) <= INTERNAL and paths[2] == "/healthz",
            "selector": spec["selector"]["matchLabels"].items() <= labels.items(),
            "disruption budget": any(it["minAvailable"] == 1 and it["selector"]["matchLabels"] == labels for it in budgets),
            "grace period": pod["terminationGracePeriodSeconds"] > 30,
        }
        yield from (f"{item['metadata']['name']}: {name}" for name, holds in expected.items() if not holds)


def wrong_services(objects):
    """Services that select no pod, or name a port that the pods do not have."""
    targets = [(it["spec"]["template"]["metadata"]["labels"], pod["containers"][0].get("ports", [])) for it, pod in pods(objects)]
    for service in (it for it in objects if it["kind"] == "Service"):
        selector, port = service["spec"]["selector"], service["spec"]["ports"][0]["targetPort"]
        if not any(selector.items() <= labels.items() and port in [p["name"] for p in ports] for labels, ports in targets):
            yield service["metadata"]["name"]


def wrong_public_paths(objects):
    """Paths of the API that its host in the Ingress does not have, and internal paths that it has."""
    (ingress,) = (it for it in objects if it["kind"] == "Ingress")
    public = [path["path"] for path in ingress["spec"]["rules"][0]["http"]["paths"]]

    def is_public(path):
        return any(path == prefix or path.startswith(prefix + "/") for prefix in public)

    paths = set(json.loads((ROOT / "docs/openapi.json").read_text())["paths"]) | {"/docs", "/openapi.json"}
    yield from (path for path in sorted(paths) if not is_public(path))
    yield from (path for path in sorted(INTERNAL) if is_public(path))


def main():
    files = [Path(sys.argv[1]), ROOT / "deploy/kubernetes/secrets.example.yaml"]
    objects = [it for file in files for it in yaml.safe_load_all(file.read_text()) if it]
    check(unknown_settings(objects), "docs/CONFIGURATION.md has each setting of the manifests")
    check(unknown_settings_of_units(), "docs/CONFIGURATION.md has each setting of deploy/systemd/")
    check(passwords(objects), "the example of the Secrets has no values")
    check(list(unrestricted(objects)), "the pods are restricted")
    check(list(deployments_that_may_stop(objects)), "an update or a drained node leaves a ready pod of each Deployment")
    check(list(wrong_services(objects)), "each Service has pods and a port")
    check(list(wrong_public_paths(objects)), "the Ingress has each path of the API and no internal one")


main()
