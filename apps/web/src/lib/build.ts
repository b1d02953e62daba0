import { createSharedState, useSharedState } from './shared-state.ts'

/** The scripts that a built page begins with: their names carry hashes of what is in them. */
const scriptsOfPage = /<script[^>]+type="module"[^>]+src="(\/assets\/[^"]+)"/g
/** For which build this tab was read anew already, so that it is never done twice. */
const reloadedFor = 'reloaded-for-build'

const newBuildWaits = createSharedState(false)

/** Whether the server has a newer console than the one in this tab, for the person to choose when. */
export function useNewBuild(): boolean {
  return useSharedState(newBuildWaits)
}

export function announceNewBuild(): void {
  newBuildWaits.set(true)
}

/** The first scripts of the build that the server has now. Throws when there is no server. */
async function newestScripts(): Promise<readonly string[]> {
  const page = await fetch('/', { cache: 'no-store', headers: { accept: 'text/html' } })
  if (!page.ok) throw new Error(`The page was answered with ${page.status}`)
  return [...(await page.text()).matchAll(scriptsOfPage)].flatMap(([, address]) => address ?? [])
}

/** A script of the server's build, when it is another one than this tab's. Throws when there is no server. */
export async function findNewBuild(): Promise<string | undefined> {
  const scripts = await newestScripts()
  return scripts.find((address) => document.querySelector(`script[src="${address}"]`) === null)
}

let reloading = false

/** Reads the page anew for a build; `false` when that was done before and brought nothing. */
export function reloadOnceFor(script: string): boolean {
  if (reloading) return true
  try {
    if (sessionStorage.getItem(reloadedFor) === script) return false
    sessionStorage.setItem(reloadedFor, script)
  } catch {
    // Without a memory it might never end.
    return false
  }
  reloading = true
  window.location.reload()
  return true
}
