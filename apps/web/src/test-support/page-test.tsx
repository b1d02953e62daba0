import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  setDefaultTimeout,
  spyOn,
} from 'bun:test'
import { createMemoryHistory } from '@tanstack/react-router'
import { cleanup, configure, fireEvent, render, waitFor, within } from '@testing-library/react/pure'
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

export { waitFor, within }

/** All that is on the page. Testing Library's own one looks for the window before there is one. */
export const screen = within(document.body)

configure({
  // The tree of elements is too long to be read: what a person sees of it says more.
  getElementError: (message) => new Error(`${message?.split('\n')[0]}\non the page: ${readableText()}`),
})

/** The text of the page, with the dialog that lies over it first. */
function readableText(): string {
  const dialogs = [...document.querySelectorAll('[role="dialog"], [role="alertdialog"]')]
  return [...dialogs, document.body]
    .map(({ textContent }) => textContent)
    .join('\n')
    .slice(0, 3000)
}

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
  /** Presses a button by its name. */
  press(name: Name, within?: Scope): Promise<void>
  /** Replaces the text of a box by its label. */
  fill(label: Name | HTMLElement, text: string, within?: Scope): Promise<void>
  /** Opens a menu by the name of its button and chooses an item. */
  choose(menu: Name, item: Name): Promise<void>
  /** Opens a list of options by its label and picks one. */
  pick(label: Name, option: Name, within?: Scope): Promise<void>
  /** Waits until a text is nowhere, not even a part of a longer one. */
  lacks(text: Name, within?: TextScope): Promise<void>
  /** Waits for a text, which may be a part of a longer one. */
  reads(text: Name, within?: TextScope): Promise<HTMLElement>
  /** Answers the question on screen. */
  confirm(verb: Name): Promise<void>
  /** Path and query of the page on screen. */
  readonly address: string
}

type Name = string | RegExp
/** Scope of a search: the complete page by default. */
type Scope = Pick<typeof screen, 'findByRole' | 'getByRole'>
type TextScope = Pick<typeof screen, 'findByText' | 'queryAllByText'>

/**
 * Tests of a page as its user meets it: the real page with the real router, texts and API client over a window without layout, and a fake
 * of the gateway at the HTTP edge. A test fails for a call outside of the contract, for one that nothing responds to, for a row that
 * the contract does not have, and for a list of which two elements have one key.
 * @param load the page's module, so that a change of it runs these tests: `() => import('./page.tsx')`
 */
export function describePage(
  name: string,
  load: () => Promise<unknown>,
  tests: (page: PageTest) => void,
): void {
  setDefaultTimeout(deadline(20_000))
  describe(name, () => {
    const made = new Set<string>()
    let current: OpenConsole
    beforeAll(async () => {
      await Promise.all([load(), startOnce()])
    })
    beforeEach(async () => {
      // By the load of now: each test measures again.
      configure({ asyncUtilTimeout: deadline(1000) })
      await untilToastsAreGone()
      current = new OpenConsole()
    })
    const warned = watchWarnings()
    afterEach(() => {
      expect(warned()).toEqual([])
      const { made: names, problems } = current.gateway
      for (const one of names) made.add(one)
      current.gateway.end()
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
      ...gesturesOf(() => current.user),
    })
  })
}

/** React says by a warning alone that two elements of a list have one key, of which it may drop one. */
function watchWarnings(): () => readonly unknown[] {
  let seen: unknown[] = []
  // biome-ignore lint/suspicious/noConsole: React writes its warnings there
  const write = console.error
  beforeAll(() => {
    spyOn(console, 'error').mockImplementation((...texts: readonly unknown[]) => {
      if (String(texts[0]).includes('children with the same key')) seen.push(texts[1])
      else write(...texts)
    })
  })
  afterAll(() => void spyOn(console, 'error').mockRestore())
  return () => {
    const found = seen
    seen = []
    return found
  }
}

/** Steps of people on a page, in the words of its labels. */
function gesturesOf(
  user: () => UserEvent,
): Pick<PageTest, 'press' | 'fill' | 'choose' | 'pick' | 'lacks' | 'reads' | 'confirm'> {
  const press = async (name: Name, scope: Scope = screen) =>
    user().click(await scope.findByRole('button', { name }))
  return {
    press,
    async fill(label, text, scope = screen) {
      const box = label instanceof HTMLElement ? label : await textBox(label, scope)
      await user().click(box)
      fireEvent.change(box, { target: { value: text } })
    },
    async choose(menu, item) {
      await press(menu)
      await user().click(await screen.findByRole('menuitem', { name: item }))
    },
    async pick(label, option, scope = screen) {
      await user().click(await scope.findByRole('combobox', { name: label }))
      await user().click(await screen.findByRole('option', { name: option }))
    },
    async lacks(text, scope = screen) {
      // An element in a message of `expect` would be written out with the complete window behind it.
      await waitFor(() => expect(scope.queryAllByText(text, { exact: false }).length).toBe(0))
    },
    reads: (text, scope = screen) => scope.findByText(text, { exact: false }),
    async confirm(verb) {
      await press(verb, within(await screen.findByRole('alertdialog')))
    },
  }
}

function textBox(label: Name, scope: Scope): Promise<HTMLElement> {
  return waitFor(() => secretBox(label) ?? scope.getByRole('textbox', { name: label }))
}

/** A box for a secret has no role: it is found by its label alone. */
function secretBox(label: Name): HTMLElement | undefined {
  const text = typeof label === 'string' ? new RegExp(`^${RegExp.escape(label)}\\W*$`) : label
  const boxes = [...document.querySelectorAll<HTMLInputElement>('input[type=password]')]
  return boxes.find(({ labels }) =>
    [...(labels ?? [])].some(({ textContent }) => text.test(textContent ?? '')),
  )
}

let started: Promise<void> | undefined

function startOnce(): Promise<void> {
  started ??= startTranslation()
  return started
}

class OpenConsole {
  readonly gateway = new FakeGateway(() => this.#history.location.pathname !== this.#opened)
  // Nothing has a box or a style that could catch the pointer.
  readonly user = userEvent.setup({ delay: null, pointerEventsCheck: 0 })
  readonly #history = createMemoryHistory()
  /** Path of the page under test, as it was after its own redirects. */
  #opened = ''

  async open(path: string, { as = rootUser, language = 'en' }: OpenOptions = {}): Promise<void> {
    globalThis.fetch = Object.assign(this.gateway.fetch, { preconnect: () => {} })
    if (as === 'guest') clearUser()
    else storeUser(as)
    // Another visit is another page.
    cleanup()
    await setLanguage(language)
    this.#history.replace(path)
    this.#opened = this.#history.location.pathname
    const { router, element } = createConsole(this.#history)
    await router.load()
    this.#opened = this.#history.location.pathname
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

/** They live in a place of their own, beside the page, and fade out. One may come late, from work that had its response already. */
async function untilToastsAreGone(): Promise<void> {
  await waitFor(() => {
    toast.clear()
    expect(document.querySelectorAll('[data-sonner-toast]')).toHaveLength(0)
  })
}
