import { hasUnsavedWork } from '../session/unsaved-work.ts'
import { createSharedState, useSharedState } from '../shared-state.ts'
import { connectionLost, untilConnected } from './connection.ts'

/** Messages of browsers about a script or styles that did not load. A script that loaded and threw has another one. */
const notLoaded =
  /dynamically imported module|importing a module script failed|unable to preload css|failed to fetch/i
const attempts = 3
const pauseMs = 400
/** Between attempts once the person has been told. */
const longPauseMs = 4000

/**
 * Loads a part of the console, and goes on trying where a browser would give up: while the server is away it waits, and
 * when the server has a newer build the page is read anew, unless that would lose something typed. It never fails for a file that does not load: React and
 * the router remember a failure, and what is typed would go with the page.
 */
export async function loadChunk<Module>(load: () => Promise<Module>): Promise<Module> {
  for (let attempt = 1; ; attempt++) {
    try {
      const module = await load()
      if (attempt > attempts) missing.set(missing.get() - 1)
      return module
    } catch (cause) {
      await beforeNextAttempt(cause, attempt)
    }
  }
}

/** Resolves when it is worth trying again; throws when it is not. Never returns where the page is to be read anew. */
async function beforeNextAttempt(cause: unknown, attempt: number): Promise<void> {
  if (!(cause instanceof Error) || !notLoaded.test(cause.message)) throw cause
  const why = await findReason()
  if (why === 'newBuild') return new Promise(() => {})
  if (attempt === attempts) missing.set(missing.get() + 1)
  if (why === 'unreachable') await untilConnected()
  await new Promise((resolve) => setTimeout(resolve, attempt < attempts ? pauseMs : longPauseMs))
}

/** Number of parts that did not load, and are tried again. */
const missing = createSharedState(0)

/** Decides whether parts of the console did not load. */
export function useMissingParts(): boolean {
  return useSharedState(missing) > 0
}

/** Resolves once a part did not load. */
export function untilMissingParts(): Promise<void> {
  return new Promise((resolve) => missing.subscribe(resolve))
}

async function findReason(): Promise<'unreachable' | 'newBuild' | 'unknown'> {
  try {
    const script = await findNewBuild()
    if (script === undefined) return 'unknown'
    if (!hasUnsavedWork()) return reloadOnceFor(script) ? 'newBuild' : 'unknown'
    announceNewBuild()
    return 'newBuild'
  } catch {
    connectionLost()
    return 'unreachable'
  }
}

/** The scripts that a built page begins with: their names carry hashes of what is in them. */
const scriptsOfPage = /<script[^>]+type="module"[^>]+src="(\/assets\/[^"]+)"/g
/** Build for which this tab was read anew already, so that it is never done twice. */
const reloadedFor = 'reloaded-for-build'

const newBuildWaits = createSharedState(false)

/** Decides whether the server has a newer console than the one in this tab, for the person to choose when. */
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
function reloadOnceFor(script: string): boolean {
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
