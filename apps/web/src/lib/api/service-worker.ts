/** After the first load has settled, so that it never competes with it. */
const afterLoadMs = 2000

/**
 * Lets the browser keep the console's page and files for when the server is away. Browsers allow it on https and on the
 * own machine only; elsewhere the console works without.
 */
export function startServiceWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  setTimeout(() => {
    navigator.serviceWorker.register('/service-worker.js').catch(() => {
      // Forbidden by the browser or the person: nothing is lost but the comfort.
    })
  }, afterLoadMs)
}
