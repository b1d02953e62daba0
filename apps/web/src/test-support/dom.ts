/** A window for component tests. Import it before anything that looks for one when it loads: React, the kit, Testing Library. */
import { GlobalRegistrator } from '@happy-dom/global-registrator'

/** The platform's own stay: pages call through `fetch`, which a test replaces, and other tests of the process need them as they are. */
const platform = [
  'fetch',
  'Request',
  'Response',
  'Headers',
  'FormData',
  'AbortController',
  'AbortSignal',
  'URL',
  'URLSearchParams',
  'Blob',
  'File',
  'ReadableStream',
  'WritableStream',
  'TransformStream',
  'performance',
  'crypto',
  'queueMicrotask',
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'BroadcastChannel',
] as const

/** The address of every test's console. Nothing listens there. */
export const origin = 'http://gateway.test'

function registerWindow(): void {
  const own = platform.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const)
  GlobalRegistrator.register({ url: `${origin}/`, width: 1440, height: 900 })
  for (const [name, descriptor] of own) if (descriptor) Object.defineProperty(globalThis, name, descriptor)
  Object.assign(globalThis, { IntersectionObserver: SeenAtOnce, ResizeObserver: NeverResized })
  Object.assign(globalThis, { getComputedStyle: inlineStyle })
  // A list of thousands draws what is in sight, which is nothing in a window without heights.
  Object.defineProperty(HTMLElement.prototype, 'offsetHeight', {
    get(this: HTMLElement) {
      return this.classList.contains('overflow-y-auto') ? 600 : 30
    },
  })
}

/**
 * Returns how an element looks by its own attributes, as no style sheet is loaded. The window's own answer walks through all ancestors for
 * each of the hundreds of elements whose names a look for a role compares.
 */
function inlineStyle(element: Element, pseudo?: string | null): CSSStyleDeclaration {
  const own = (element as HTMLElement).style
  const ofName = (name: string): string => {
    if (pseudo) return ''
    if (name === 'display' && element.hasAttribute('hidden')) return 'none'
    return own.getPropertyValue(name) || (defaultStyle[name] ?? '')
  }
  return new Proxy(own, {
    get: (_, name) => (name === 'getPropertyValue' ? ofName : ofName(cssName(String(name)))),
  })
}

const defaultStyle: Readonly<Record<string, string>> = {
  display: 'block',
  visibility: 'visible',
  position: 'static',
  overflow: 'visible',
  'overflow-x': 'visible',
  'overflow-y': 'visible',
  direction: 'ltr',
  'pointer-events': 'auto',
  opacity: '1',
}

/** `overflowX` → `overflow-x`. */
function cssName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** Observer of elements that have no layout and keep their size. */
class NeverResized implements ResizeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

/** Nothing is laid out, so that everything counts as being on the screen. */
class SeenAtOnce implements Pick<IntersectionObserver, 'observe' | 'disconnect' | 'unobserve'> {
  readonly #callback: IntersectionObserverCallback
  constructor(callback: IntersectionObserverCallback) {
    this.#callback = callback
  }
  observe(target: Element): void {
    const entry = {
      isIntersecting: true,
      intersectionRatio: 1,
      target,
    } as unknown as IntersectionObserverEntry
    queueMicrotask(() => this.#callback([entry], this as unknown as IntersectionObserver))
  }
  unobserve(): void {}
  disconnect(): void {}
}

if (!GlobalRegistrator.isRegistered) {
  // The kit looks for a window once, when it loads, and stays without effects where there was none.
  if (Object.keys(require.cache).some((path) => path.includes('/node_modules/@base-ui/')))
    throw new Error('tests of components run in a process of their own: bun test .component.test')
  registerWindow()
}
