import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Deployment } from "kubernetes-models/apps/v1";
import { HorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import { ConfigMap, Secret, Service } from "kubernetes-models/v1";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { z } from "zod";
import { environmentNames } from "../src/config/environment.ts";
import { loadSettings } from "../src/config/load.ts";

const folder = new URL("../deploy/kubernetes/", import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, folder), "utf8");

const manifestSchema = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({
    name: z.string(),
    labels: z.record(z.string(), z.string()),
  }),
});
type Manifest = z.infer<typeof manifestSchema>;

const files = readdirSync(fileURLToPath(folder)).filter(
  (name) => name.endsWith(".yaml") && name !== "kustomization.yaml",
);
const manifests = files.flatMap((file) =>
  parseAllDocuments(read(file)).map((document) => ({
    file,
    manifest: manifestSchema.parse(document.toJS()),
  })),
);
const named = (kind: string, name: string): Manifest => {
  const found = manifests.find(
    ({ manifest }) => manifest.kind === kind && manifest.metadata.name === name,
  );
  if (!found) throw new Error(`there is no ${kind} ${name}`);
  return found.manifest;
};

/** Kubernetes' own schemas. */
const kinds: Readonly<Record<string, new (manifest: never) => { validate(): void }>> = {
  "apps/v1 Deployment": Deployment,
  "autoscaling/v2 HorizontalPodAutoscaler": HorizontalPodAutoscaler,
  "policy/v1 PodDisruptionBudget": PodDisruptionBudget,
  "v1 ConfigMap": ConfigMap,
  "v1 Secret": Secret,
  "v1 Service": Service,
};

const deploymentSchema = z.object({
  spec: z.object({
    replicas: z.number().optional(),
    selector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
    template: z.object({
      metadata: z.object({ labels: z.record(z.string(), z.string()) }),
      spec: z.looseObject({
        terminationGracePeriodSeconds: z.number(),
        automountServiceAccountToken: z.boolean(),
        securityContext: z.looseObject({ runAsNonRoot: z.boolean() }),
        volumes: z.array(
          z.looseObject({
            name: z.string(),
            configMap: z.object({ name: z.string() }).optional(),
          }),
        ),
        containers: z.array(
          z.looseObject({
            image: z.string(),
            env: z.array(z.object({ name: z.string(), value: z.string() })),
            envFrom: z.array(
              z.object({
                configMapRef: z.object({ name: z.string() }).optional(),
                secretRef: z.object({ name: z.string() }).optional(),
              }),
            ),
            ports: z.array(z.object({ name: z.string(), containerPort: z.number() })),
            livenessProbe: z.looseObject({
              httpGet: z.object({ path: z.string(), port: z.string() }),
            }),
            readinessProbe: z.looseObject({
              httpGet: z.object({ path: z.string(), port: z.string() }),
            }),
            resources: z.object({
              limits: z.record(z.string(), z.string()),
              requests: z.record(z.string(), z.string()),
            }),
            securityContext: z.looseObject({
              allowPrivilegeEscalation: z.boolean(),
              readOnlyRootFilesystem: z.boolean(),
              capabilities: z.object({ drop: z.array(z.string()) }),
            }),
            volumeMounts: z.array(z.looseObject({ name: z.string(), mountPath: z.string() })),
          }),
        ),
      }),
    }),
  }),
});
const roles = ["bots", "worker"] as const;
const podOf = (role: (typeof roles)[number]) => {
  const { spec } = deploymentSchema.parse(named("Deployment", `parley-${role}`));
  const [container, ...others] = spec.template.spec.containers;
  if (!container || others.length > 0) throw new Error("expected one container");
  return { spec, pod: spec.template.spec, container };
};
const dataOf = (kind: "ConfigMap" | "Secret", name: string) => {
  const { data, stringData } = named(kind, name);
  return z.record(z.string(), z.string()).parse(data ?? stringData);
};

describe("the manifests for Kubernetes", () => {
  it.each(manifests)("fit Kubernetes' own schema: $file", ({ manifest }) => {
    const kind = kinds[`${manifest.apiVersion} ${manifest.kind}`];
    expect(kind, `${manifest.apiVersion} ${manifest.kind}`).toBeDefined();
    if (kind) new kind(manifest as never).validate();
  });

  it("are refused by that schema when they are wrong", () => {
    const broken = { ...named("Deployment", "parley-bots"), spec: {} };
    expect(() => new Deployment(broken as never).validate()).toThrow();
  });

  it("are all applied by the kustomization, but for the example of secrets", () => {
    const { resources } = z
      .object({ resources: z.array(z.string()) })
      .parse(parse(read("kustomization.yaml")));
    expect([...resources, "secret.example.yaml"].sort()).toEqual([...files].sort());
  });

  it.each(roles)("select the pods of %s by labels that they have", (role) => {
    const { spec } = podOf(role);
    expect(spec.template.metadata.labels).toEqual(spec.selector.matchLabels);
    const budget = z
      .object({
        spec: z.object({
          selector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
        }),
      })
      .parse(named("PodDisruptionBudget", `parley-${role}`));
    expect(budget.spec.selector.matchLabels).toEqual(spec.selector.matchLabels);
  });

  it.each(roles)("give %s no more rights than it needs", (role) => {
    const { pod, container } = podOf(role);
    expect(pod.automountServiceAccountToken).toBe(false);
    expect(pod.securityContext.runAsNonRoot).toBe(true);
    expect(container.securityContext).toMatchObject({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    expect(container.resources.limits["memory"]).toBeDefined();
  });

  it.each(roles)("let %s end by itself, and ask it how it is", (role) => {
    const { pod, container } = podOf(role);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(15);
    const ports = container.ports.map(({ name }) => name);
    expect(container.livenessProbe.httpGet.path).toBe("/healthz");
    expect(container.readinessProbe.httpGet.path).toBe("/readyz");
    for (const probe of [container.livenessProbe, container.readinessProbe])
      expect(ports).toContain(probe.httpGet.port);
    const given = new Map(container.env.map(({ name, value }) => [name, value]));
    expect(given.get("PARLEY_HTTP_PORT")).toBe(String(container.ports[0]?.containerPort));
    // A loopback would not answer the kubelet.
    expect(given.get("PARLEY_HTTP_HOST")).toBe("0.0.0.0");
    expect(given.get("PARLEY_ROLE")).toBe(role);
  });

  it.each(roles)("mount for %s what they declare", (role) => {
    const { pod, container } = podOf(role);
    expect(container.volumeMounts.map(({ name }) => name).sort()).toEqual(
      pod.volumes.map(({ name }) => name).sort(),
    );
    for (const { configMap } of pod.volumes) if (configMap) dataOf("ConfigMap", configMap.name);
  });

  it("give each role settings that Parley takes, and no other role's secrets", () => {
    for (const role of roles) {
      const { container } = podOf(role);
      const environment: Record<string, string> = Object.fromEntries(
        container.env.map(({ name, value }) => [name, value]),
      );
      for (const { configMapRef, secretRef } of container.envFrom)
        Object.assign(
          environment,
          configMapRef && dataOf("ConfigMap", configMapRef.name),
          secretRef && dataOf("Secret", secretRef.name),
        );
      expect(Object.keys(environment).filter((name) => !environmentNames.includes(name))).toEqual(
        [],
      );
      const foreign = role === "bots" ? /API_KEY/ : /TOKEN/;
      expect(Object.keys(environment).filter((name) => foreign.test(name))).toEqual([]);
      const { PARLEY_CONFIG: _, ...settings } = environment;
      expect(loadSettings({ environment: settings, workingFolder: "/" }).role).toBe(role);
    }
  });

  it("scale the workers, and leave their number to the autoscaler", () => {
    const { spec } = z
      .object({
        spec: z.object({
          scaleTargetRef: z.object({ kind: z.string(), name: z.string() }),
        }),
      })
      .parse(named("HorizontalPodAutoscaler", "parley-worker"));
    const { kind, name } = spec.scaleTargetRef;
    expect(named(kind, name).kind).toBe("Deployment");
    expect(podOf("worker").spec.replicas).toBeUndefined();
  });

  it("tell the adapter to count the turns that wait, as a figure of the namespace", () => {
    const comment = [...read("autoscaler.yaml").matchAll(/^#( {3}.*)$/gm)]
      .map(([, line = ""]) => line)
      .join("\n");
    const figure = 'queue="turns",state="waiting"';
    expect(parseAllDocuments(comment)[0]?.toJS()).toEqual({
      externalRules: [
        {
          seriesQuery: `parley_queue_jobs{${figure}}`,
          resources: { overrides: { namespace: { resource: "namespace" } } },
          name: { as: "parley_turns_waiting" },
          metricsQuery: `max(<<.Series>>{${figure},<<.LabelMatchers>>})`,
        },
      ],
    });
  });

  it("hold no secret", () => {
    for (const name of ["parley-bots", "parley-worker"])
      expect(new Set(Object.values(dataOf("Secret", name)))).toEqual(new Set([""]));
  });
});
