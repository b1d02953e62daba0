import { checkCertificate } from './certificate-checks.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

/** Response of `/readyz`, as far as it is used; an earlier version has fewer members. */
interface Readiness {
  readonly admitting?: boolean
  readonly problems?: readonly string[]
}

interface Proxy {
  /** The address that people open, as set; empty when it is not. */
  readonly serverAddress: string
  readonly trustedProxies: readonly string[]
  /** Address on which this gateway listens. */
  readonly ownUrl: string
}

const limitMs = 5000

/**
 * Checks that the gateway serves, that people reach it by its address, and that it trusts the headers of the proxy in between.
 */
export async function checkProxy({
  serverAddress,
  trustedProxies,
  ownUrl,
}: Proxy): Promise<readonly Finding[]> {
  const found = [await checkServing(ownUrl)]
  if (serverAddress === '')
    return [
      ...found,
      warn('address', 'ServerAddress is not set: mails and payments have no address to lead to'),
    ]
  found.push(await checkAddress(serverAddress), ...(await checkCertificate(serverAddress)))
  const isProxied = serverAddress.startsWith('https:')
  if (isProxied && trustedProxies.length === 0)
    found.push(
      warn(
        'proxy headers',
        'ServerAddress is https, so a proxy is in front, but TRUSTED_PROXIES is empty: set it to the address of the proxy, or all visitors look like one',
      ),
    )
  else
    found.push(
      ok(
        'proxy headers',
        trustedProxies.length > 0 ? `believed from ${trustedProxies.join(', ')}` : 'no proxy',
      ),
    )
  return found
}

async function checkServing(ownUrl: string): Promise<Finding> {
  try {
    const response = await fetch(`${ownUrl}/readyz`, { signal: AbortSignal.timeout(limitMs) })
    const { admitting, problems = [] } = (await response.json()) as Readiness
    if (problems.length > 0) return fail('gateway', `it serves at ${ownUrl}. ${problems.join(' ')}`)
    if (response.ok) return ok('gateway', `it serves at ${ownUrl}`)
    const what = admitting === true ? 'is not ready' : 'takes no calls'
    return warn('gateway', `it runs at ${ownUrl}, but ${what} (${response.status}): GET /readyz says why`)
  } catch {
    return warn('gateway', `nothing responds at ${ownUrl}: start it`)
  }
}

async function checkAddress(serverAddress: string): Promise<Finding> {
  try {
    const response = await fetch(`${serverAddress}/api/status`, { signal: AbortSignal.timeout(limitMs) })
    const { success } = (await response.json()) as { readonly success?: boolean }
    if (success === true) return ok('address', `${serverAddress} leads to a gateway`)
    return warn('address', `${serverAddress} responds, but not as a gateway: check the proxy`)
  } catch (error) {
    const { code, name } = error as { readonly code?: string; readonly name: string }
    return warn(
      'address',
      `${serverAddress} cannot be reached from here (${code ?? name}): check the proxy and its certificate`,
    )
  }
}
