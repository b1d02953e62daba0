import { expect } from 'bun:test'
import type { Locator } from 'playwright-core'

/** Clicks that any job of the console may take; typing costs nothing. */
export const maxClicks = 5

/**
 * Works through a job and counts its clicks.
 * @param max the clicks that the job may take
 */
export async function withinClicks(
  max: number,
  work: (click: (target: Locator) => Promise<void>) => Promise<void>,
): Promise<void> {
  let clicks = 0
  await work(async (target) => {
    await target.click()
    clicks++
  })
  expect(clicks).toBeLessThanOrEqual(max)
}
