import { appendFileSync } from 'node:fs'
import type { Browser, Request } from 'playwright-core'
import { callOf, unreadNames } from '../../../packages/api/src/test-support/call-of.ts'

/** Names a file that gathers the calls which browsers and component tests make in a whole run: one `group.name` per line. */
export const sentCallsFile = 'TOLLGATE_SENT_CALLS'

/**
 * Holds every call that the pages of a browser make against the contract: it must be there, and carry nothing that the
 * contract does not read. `browser.close()` throws what was wrong.
 */
export function watchSentCalls(browser: Browser): Browser {
  const problems = new Set<string>()
  const made = new Set<string>()
  browser.on('context', (context) =>
    context.on('request', (request) => {
      const seen = readCall(request)
      if (seen === undefined) return
      if (seen.name !== undefined) made.add(seen.name)
      for (const problem of seen.problems) problems.add(problem)
    }),
  )
  const close = browser.close.bind(browser)
  browser.close = async (options) => {
    await close(options)
    recordSentCalls(made)
    if (problems.size > 0) throw new Error(`not as the contract says:\n${[...problems].join('\n')}`)
  }
  return browser
}

/** Adds calls by their names to the file that gathers them, where a run has one. */
export function recordSentCalls(names: ReadonlySet<string>): void {
  const file = process.env[sentCallsFile]
  if (file !== undefined && names.size > 0) appendFileSync(file, `${[...names].join('\n')}\n`)
}

interface SentCall {
  readonly name?: string
  readonly problems: readonly string[]
}

/** Values may be wrong: refusing them is the server's part. `undefined` for requests other than calls of the console: pages, files, other sites, pages that a provider sends. */
function readCall(request: Request): SentCall | undefined {
  const url = new URL(request.url())
  const isConsole = url.hostname === '127.0.0.1' || url.hostname === 'localhost'
  if (!isConsole || !url.pathname.startsWith('/api/') || !isMadeByScript(request)) return undefined
  const wire = `${request.method()} ${url.pathname}`
  const found = callOf(request.method(), url.pathname)
  if (found === undefined) return { problems: [`${wire}: not in the contract`] }
  const { query, body, accepts } = found.call
  const unread = [
    ...unreadNames(query, [...url.searchParams.keys()]),
    ...(accepts === 'raw' ? [] : unreadNames(body, bodyNames(request))),
  ]
  return { name: found.name, problems: unread.map((name) => `${wire}: ${name}`) }
}

function isMadeByScript(request: Request): boolean {
  return ['fetch', 'xhr', 'document'].includes(request.resourceType())
}

function bodyNames(request: Request): string[] {
  const text = request.postData()
  return text === null ? [] : Object.keys(JSON.parse(text) as object)
}
