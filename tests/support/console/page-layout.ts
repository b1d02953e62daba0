import type { Page } from 'playwright-core'

/** Widths of the narrowest window of each arrangement of a page, in which it has the least room: a phone, a tablet and desks. */
const arrangements = [1280, 1024, 768, 390]
/** Widths at which tables change their columns, beside those. */
const withColumns = [1440, 1366, 1280, 1024, 820, 768, 390]
/** Narrower, lists are cards. */
const minTableWidth = 768

/** Waits until what lies in the window has come; what lies below it loads when it is scrolled to. */
export async function untilDrawn(page: Page): Promise<void> {
  await page.locator('main :is(h1, h2)').first().waitFor()
  await page.waitForFunction(() =>
    [...document.querySelectorAll('.skeleton, [aria-busy="true"]')].every(
      (element) => element.getBoundingClientRect().top > window.innerHeight,
    ),
  )
}

/**
 * The parts of a page that lie outside of its window, and those of its tables that have no room, in sentences: in each arrangement, without
 * motion. The page then has the width of a phone.
 * @param fitsTable whether its table has room for its columns at every width; others scroll in their own box
 */
export async function layoutFaults(page: Page, fitsTable: boolean): Promise<readonly string[]> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const faults: string[] = []
  for (const width of fitsTable ? withColumns : arrangements) {
    await page.setViewportSize({ width, height: 900 })
    const excess = await excessOf(page)
    if (excess > 0) faults.push(`${width} px: ${excess} px wider than the window`)
    if (width < minTableWidth || !fitsTable) continue
    faults.push(...(await crampedParts(page)).map((part) => `${width} px: ${part}`))
  }
  return faults
}

/** Returns the pixels by which the page is wider than its window, once it has its new width. */
function excessOf(page: Page): Promise<number> {
  return page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    const { scrollWidth, clientWidth } = document.documentElement
    return scrollWidth - clientWidth
  })
}

/** Describes the parts of the tables that have no room, in sentences. */
function crampedParts(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const fewLetters = 60
    const isCut = (element: Element) =>
      element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflow === 'hidden'
    return [...document.querySelectorAll('main table')].flatMap((table) => {
      const box = table.parentElement as HTMLElement
      const excess = box.scrollWidth - box.clientWidth
      const cut = [...table.querySelectorAll('td, td *, th')].filter(
        (element) => isCut(element) && element.clientWidth > 2 && element.clientWidth < fewLetters,
      )
      return [
        ...(excess > 1 ? [`the table is ${excess} px wider than its box`] : []),
        ...cut.map((element) => `“${element.textContent}” has ${element.clientWidth} px`),
      ]
    })
  })
}
