// Keeps the console's page and its hashed files, so that a stopped server shows the console and not the browser's error
// page. API responses are never cached: every request that is not named here goes to the network.
const shellCache = 'shell'
const assetCache = 'assets'
const shell = '/'
const assets = '/assets/'
/** A few builds' worth of files; the oldest go first. */
const keptAssets = 400
/** Not the console's pages: calls, and what the server makes by itself. */
const servers = /^\/(api|pg|v1|v1beta|mj|suno|dashboard)\//
/** Their policy allows a third-party script; no other page may inherit it. */
const humanCheckPages = new Set(['/login', '/register', '/reset'])

addEventListener('install', (event) => {
  event.waitUntil(keepShell().then(() => skipWaiting()))
})

addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (pathname.startsWith(assets)) event.respondWith(keptAsset(request))
  else if (request.mode === 'navigate' && !servers.test(pathname)) event.respondWith(page(event, pathname))
})

/** The page and the files that it names. */
async function keepShell() {
  const answer = await fetch(shell, { cache: 'no-cache' })
  if (!isPage(answer)) return
  const text = await answer.clone().text()
  await (await caches.open(shellCache)).put(shell, answer)
  const named = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path)
  await Promise.all(named.map((path) => keptAsset(new Request(path)).catch(() => undefined)))
}

/** The server's page while there is a server; the one kept when there is none. */
async function page(event, pathname) {
  try {
    const answer = await fetch(event.request)
    if (isPage(answer) && !humanCheckPages.has(pathname)) {
      const copy = answer.clone()
      event.waitUntil(caches.open(shellCache).then((cache) => cache.put(shell, copy)))
    }
    return isAway(answer) ? ((await keptShell()) ?? answer) : answer
  } catch (cause) {
    const kept = await keptShell()
    if (kept === undefined) throw cause
    return kept
  }
}

const keptShell = async () => (await caches.open(shellCache)).match(shell)

/** A name stands for its content, so what is kept is as good as new. */
async function keptAsset(request) {
  const cache = await caches.open(assetCache)
  const kept = await cache.match(request)
  if (kept !== undefined) return kept
  const answer = await fetch(request)
  if (answer.ok) {
    await cache.put(request, answer.clone())
    await forgetOldest(cache)
  }
  return answer
}

async function forgetOldest(cache) {
  const kept = await cache.keys()
  await Promise.all(
    kept.slice(0, Math.max(0, kept.length - keptAssets)).map((request) => cache.delete(request)),
  )
}

function isPage(answer) {
  return answer.ok && !answer.redirected && (answer.headers.get('content-type') ?? '').startsWith('text/html')
}

/** The statuses a proxy returns for a server that is down. */
function isAway(answer) {
  return answer.status === 502 || answer.status === 504
}
