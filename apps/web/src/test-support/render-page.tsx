import './dom.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'bun:test'
import { createMemoryHistory } from '@tanstack/react-router'
import { cleanup, configure, render, waitFor, within } from '@testing-library/react/pure'
import { type UserEvent, userEvent } from '@testing-library/user-event'
import type { SessionUser } from '@tollgate/api'
import { deadline } from '../../../../scripts/deadline/deadline.mjs'
import { recordSentCalls } from '../../../../tests/support/console/sent-calls.ts'
import { createConsole } from '../console.tsx'
import { type LanguageCode, setLanguage, startTranslation } from '../i18n/index.ts'
import { endProof, endReauthentication } from '../lib/session/reauthentication.ts'
import { clearUser, storeUser } from '../lib/session/session.ts'
import { toast } from '../lib/toast.ts'
import { FakeGateway } from './fake-gateway.ts'
import { rootUser } from './people.ts'

export { Refusal } from './fake-gateway.ts'
export { waitFor, within }

/** All that is on the page. Testing Library's own one looks for the window before there is one. */
export const screen = within(document.body)

configure({ asyncUtilTimeout: deadline(2000) })

export interface OpenOptions {
  /** Root by default. */
  readonly as?: SessionUser | 'guest'
  readonly language?: LanguageCode
}

/** The console of one test: what it talks to, and who sits before it. */
export interface PageTest {
  readonly gateway: FakeGateway
  readonly user: UserEvent
  /** Opens an address of the console and waits for its page. */
  open(path: string, options?: OpenOptions): Promise<void>
  /** Path and query of the page on screen. */
  readonly address: string
}

/**
 * Tests of a page as its user meets it: the real page with the real router, texts and API client over a window without layout, and a fake
 * of the gateway at the HTTP edge. A test fails for a call outside of the contract, for one that nothing responds to, and for a row that
 * the contract does not have.
 * @param load the page's module, so that a change of it runs these tests: `() => import('./page.tsx')`
 */
export function describePage(
  name: string,
  load: () => Promise<unknown>,
  tests: (page: PageTest) => void,
): void {
  describe(name, () => {
    const made = new Set<string>()
    let current: OpenConsole
    beforeAll(async () => {
      await Promise.all([load(), startOnce()])
    })
    beforeEach(async () => {
      await untilToastsAreGone()
      current = new OpenConsole()
    })
    afterEach(() => {
      const { made: names, problems } = current.gateway
      for (const one of names) made.add(one)
      close()
      expect(problems).toEqual([])
    })
    afterAll(() => recordSentCalls(made))
    tests({
      get gateway() {
        return current.gateway
      },
      get user() {
        return current.user
      },
      get address() {
        return current.address
      },
      open: (path, options) => current.open(path, options),
    })
  })
}

let started: Promise<void> | undefined

function startOnce(): Promise<void> {
  started ??= startTranslation()
  return started
}

class OpenConsole {
  readonly gateway = new FakeGateway()
  // Nothing has a box or a style that could catch the pointer.
  readonly user = userEvent.setup({ delay: null, pointerEventsCheck: 0 })
  readonly #history = createMemoryHistory()

  async open(path: string, { as = rootUser, language = 'en' }: OpenOptions = {}): Promise<void> {
    globalThis.fetch = Object.assign(this.gateway.fetch, { preconnect: () => {} })
    if (as === 'guest') clearUser()
    else storeUser(as)
    await setLanguage(language)
    this.#history.replace(path)
    const { router, element } = createConsole(this.#history)
    await router.load()
    render(element)
  }

  get address(): string {
    return this.#history.location.href
  }
}

function close(): void {
  endProof(false)
  endReauthentication()
  cleanup()
  toast.clear()
  clearUser()
  localStorage.clear()
  sessionStorage.clear()
}

/** They live in a place of their own, beside the page, and fade out. */
async function untilToastsAreGone(): Promise<void> {
  await waitFor(() => expect(document.querySelectorAll('[data-sonner-toast]')).toHaveLength(0))
}
