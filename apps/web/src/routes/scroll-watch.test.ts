import { expect, test } from 'bun:test'
import type { ParsedLocation } from '@tanstack/react-router'
import { watchScrolling } from './scroll-watch.ts'

const at = (key: string, hash = '') =>
  ({ hash, href: `/${key}`, state: { __TSR_key: key } }) as ParsedLocation

/** A page that a test scrolls. */
function scrolledPage() {
  const page = new EventTarget()
  let position = 0
  const watch = watchScrolling(page, () => position)
  return {
    watch,
    scrollTo(next: number): void {
      position = next
      page.dispatchEvent(new Event('scroll'))
    },
  }
}

test('a page that comes to an unscrolled window stays as it is; the first, one with an anchor and one below the top are scrolled', () => {
  const { watch, scrollTo } = scrolledPage()
  expect(watch.needsScroll(at('first'))).toBe(true)
  expect(watch.needsScroll(at('second'))).toBe(false)
  expect(watch.needsScroll(at('third', 'part'))).toBe(true)
  scrollTo(500)
  expect(watch.needsScroll(at('fourth'))).toBe(true)
  expect(watch.needsScroll(at('fourth'))).toBe(true)
  scrollTo(0)
  expect(watch.needsScroll(at('fifth'))).toBe(false)
})

test('a page that somebody left scrolled is scrolled again when they come back', () => {
  const { watch, scrollTo } = scrolledPage()
  watch.needsScroll(at('first'))
  scrollTo(500)
  watch.leave(at('first'))
  scrollTo(0)
  watch.leave(at('second'))
  expect(watch.needsScroll(at('second'))).toBe(false)
  expect(watch.needsScroll(at('first'))).toBe(true)
})
