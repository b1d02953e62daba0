/** A path segment that names an API version: `v1`, `v4`, `v1beta`. */
const versionSegment = /^v\d+[a-z0-9]*$/

/**
 * Address of an endpoint under what the operator typed as base URL.
 * @param root where the upstream's API lives under its host, version included: `/v1`, `/api/paas/v4`
 * @param path the endpoint under the root: `/chat/completions`
 *
 * A base that names a version already contains the root, complete or under a name of its own (an SDK's base URL, a
 * Cloudflare AI Gateway, `https://api.deepinfra.com/v1/openai`), so only the path is appended and no `/v1` doubles.
 */
export function endpointUrl(baseUrl: string, root: string, path: string): string {
  const base = baseUrl.trim().replace(/\/+$/, '')
  const known = overlap(base, root)
  if (known === 0 && root !== '' && namesVersion(base)) return base + withoutVersionOf(base, path)
  return base + root.slice(known) + path
}

/**
 * Address of an endpoint of an API whose root is nothing but its version: only a version at the very end of the base is
 * the API's own, one before it is another's (`https://gateway.example/v1/{account}/anthropic`).
 * @param root `/v1`, `/v1beta`
 */
export function versionedUrl(baseUrl: string, root: string, path: string): string {
  const base = baseUrl.trim().replace(/\/+$/, '')
  const last = base.slice(base.lastIndexOf('/') + 1)
  return versionSegment.test(last) ? base + path : base + root + path
}

/** Returns the path without a version of its own that the base ends with. */
function withoutVersionOf(base: string, path: string): string {
  const version = /^\/v\d+[a-z0-9]*(?=\/)/.exec(path)?.[0] ?? ''
  return base.endsWith(version) ? path.slice(version.length) : path
}

/** Endpoints of the public formats; but for the first a path may end so without being one, unless a version stands before it. */
const endpoint =
  /\/chat\/completions$|(?<=\/v\d+[a-z0-9]*)\/(?:completions|responses|messages|embeddings|models(?:\/[^/]+:[a-z]+)?)$/i

/**
 * The base URL in an address that was copied with its endpoint, as vendors' pages have it: endpoints are appended to it, and
 * would stand there twice.
 */
export function withoutEndpoint(address: string): string {
  return address.trim().replace(/\/+$/, '').replace(endpoint, '')
}

function namesVersion(base: string): boolean {
  const path = base.replace(/^[a-z]+:\/\/[^/]*/i, '')
  return path.split('/').some((segment) => versionSegment.test(segment))
}

/** Length of the root's part that the base ends with, in complete segments: `…/compatible-mode` and `/compatible-mode/v1`. */
function overlap(base: string, root: string): number {
  for (let end = root.length; end > 0; end = root.lastIndexOf('/', end - 1)) {
    if (base.endsWith(root.slice(0, end))) return end
  }
  return 0
}

/**
 * A complete address with every `{model}` filled in. In the query the name is percent-encoded; in the path its
 * slashes are kept, as many upstreams name models with them, but for a name that would climb to another path.
 */
export function fillModel(url: string, model: string): string {
  const query = url.indexOf('?')
  const [path, rest] = query < 0 ? [url, ''] : [url.slice(0, query), url.slice(query)]
  return path.replaceAll('{model}', () => pathName(model)) + rest.replaceAll('{model}', () => encoded(model))
}

/**
 * A name or an id as one segment of a path, whatever is in it. Every text that does not come from this code gets into a path
 * here or by `fillModel`.
 * @throws TypeError for `.` and `..`, which no encoding keeps: servers read `%2e%2e` as a step up, too
 */
export function pathSegment(name: string): string {
  if (/^\.{1,2}$/.test(name)) throw new TypeError(`"${name}" names nothing in an address`)
  return encoded(name)
}

/** Percent-encoded; half of a character, which has no encoding, becomes the sign for one that is missing. */
export function encoded(text: string): string {
  return encodeURIComponent(text.replace(/\p{Cs}/gu, '\uFFFD'))
}

const climbs = /(?:^|\/)\.{1,2}(?:\/|$)/

function pathName(model: string): string {
  const segment = pathSegment(model)
  if (climbs.test(model)) return segment
  return segment.replaceAll('%2F', '/').replaceAll('%3A', ':').replaceAll('%40', '@')
}
