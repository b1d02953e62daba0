/** Variables that name a proxy for every outbound request, in either case of letters. */
const proxyVariables = new Set(['http_proxy', 'https_proxy', 'all_proxy'])
/** Schemes that the runtime's `fetch` takes for such a proxy. */
const usableSchemes = new Set(['http:', 'https:'])

type Environment = Readonly<Record<string, string | undefined>>

/** Looks for a proxy in the environment, as the runtime reads it. */
export function hasEnvironmentProxy(environment: Environment): boolean {
  return proxiesOf(environment).length > 0
}

/** The first variable whose proxy cannot be used, and why: never its value, which may hold a password. */
export function findUnusableProxy(environment: Environment): { name: string; problem: string } | undefined {
  for (const [name, value] of proxiesOf(environment)) {
    const problem = problemOf(value)
    if (problem !== undefined) return { name, problem }
  }
  return undefined
}

function proxiesOf(environment: Environment): readonly (readonly [string, string])[] {
  return Object.entries(environment).flatMap(([name, value]) =>
    proxyVariables.has(name.toLowerCase()) && value !== undefined && value !== ''
      ? [[name, value] as const]
      : [],
  )
}

function problemOf(value: string): string | undefined {
  // `host:port` without a scheme is a proxy of HTTP by custom.
  const scheme = /^([a-z][a-z0-9+.-]*:)\/\//i.exec(value)?.[1]?.toLowerCase() ?? 'http:'
  if (!usableSchemes.has(scheme))
    return `names a proxy of ${scheme.slice(0, -1)}, which works for single channels alone: set an http:// proxy here, or enter this one as the proxy of each channel`
  return URL.canParse(value.includes('://') ? value : `http://${value}`)
    ? undefined
    : 'must be the address of a proxy, as http://host:port'
}
