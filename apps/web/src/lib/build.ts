import { createSharedState, useSharedState } from './shared-state.ts'

/** The first script of a built page: its name carries a hash of the build. */
const entryOfPage = /<script[^>]+type="module"[^>]+src="(\/assets\/[^"]+)"/
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

/** The entry script of the build that the server has now. Throws when there is no server. */
async function newestEntry(): Promise<string | undefined> {
  const page = await fetch('/', { cache: 'no-store', headers: { accept: 'text/html' } })
  if (!page.ok) throw new Error(`The page was answered with ${page.status}`)
  return entryOfPage.exec(await page.text())?.[1]
}

/** The server's build, when it is another one than this tab's. Throws when there is no server. */
export async function findNewBuild(): Promise<string | undefined> {
  const entry = await newestEntry()
  return entry === undefined || document.querySelector(`script[src="${entry}"]`) ? undefined : entry
}

let reloading = false

/** Reads the page anew for a build; `false` when that was done before and brought nothing. */
export function reloadOnceFor(entry: string): boolean {
  if (reloading) return true
  try {
    if (sessionStorage.getItem(reloadedFor) === entry) return false
    sessionStorage.setItem(reloadedFor, entry)
  } catch {
    // Without a memory it might never end.
    return false
  }
  reloading = true
  window.location.reload()
  return true
}
