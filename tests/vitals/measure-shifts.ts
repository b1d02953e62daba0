import type { Browser } from 'playwright-core'
import { pageBudgets } from '../size/budgets.ts'
import { startSampleConsole } from '../size/sample-console.ts'
import { visit } from './observe.ts'
import { mostLayoutShift } from './pages.ts'

/** How long calls take: long enough that every page is drawn without their responses first. */
const callMs = 120

/** A public page that people with an account see beside the menu. */
const besideMenu = { path: '/pricing', loggedIn: true }

/**
 * The pages whose layout shifts more than it may while responses arrive, in sentences with what moved. Visits every page once for each
 * width, the widths side by side.
 */
export async function unsteadyPages(browser: Browser, widths: readonly number[]): Promise<readonly string[]> {
  const console = await startSampleConsole(browser, { busy: true })
  const pages = [...pageBudgets, besideMenu]
  const unsteadyAt = async (width: number) => {
    const unsteady: string[] = []
    for (const { path, loggedIn } of pages) {
      const context = await console.context(loggedIn, width)
      const { layoutShift, shifts } = await visit(context, console.url + path, { callMs })
      await context.close()
      if (layoutShift >= mostLayoutShift)
        unsteady.push(
          `${path} shifts by ${layoutShift.toFixed(3)} at ${width} px: ${shifts[0]?.moved.join(', ')}`,
        )
    }
    return unsteady
  }
  try {
    return (await Promise.all(widths.map(unsteadyAt))).flat()
  } finally {
    await console.stop()
  }
}
