import type { Browser } from 'playwright-core'
import { pageBudgets } from '../size/budgets.ts'
import { startSampleConsole } from '../size/sample-console.ts'
import { visit } from './observe.ts'
import { mostLayoutShift } from './pages.ts'

/** How long calls take: long enough that every page is drawn without their responses first. */
const callMs = 120

/** A public page that people with an account see beside the menu. */
const besideMenu = { path: '/pricing', loggedIn: true }

/** The pages whose layout shifts more than it may while responses arrive, in sentences with what moved. */
export async function unsteadyPages(browser: Browser, widths: readonly number[]): Promise<readonly string[]> {
  const console = await startSampleConsole(browser, { busy: true })
  const unsteady: string[] = []
  try {
    for (const width of widths)
      for (const { path, loggedIn } of [...pageBudgets, besideMenu]) {
        const context = await console.context(loggedIn, width)
        const { layoutShift, shifts } = await visit(context, console.url + path, { callMs })
        await context.close()
        if (layoutShift >= mostLayoutShift)
          unsteady.push(
            `${path} shifts by ${layoutShift.toFixed(3)} at ${width} px: ${shifts[0]?.moved.join(', ')}`,
          )
      }
    return unsteady
  } finally {
    await console.stop()
  }
}
