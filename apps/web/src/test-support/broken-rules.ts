import axe from 'axe-core'

/** Rules that need a layout or colours, which a window of a test has not: a browser and `styles/theme-contrast.test.ts` hold them. */
const needLayout = ['color-contrast', 'target-size', 'scrollable-region-focusable', 'link-in-text-block']

/** Returns the rules of WCAG A and AA that the page breaks, as far as it follows from elements, names and roles. */
export async function brokenRules(): Promise<readonly string[]> {
  const { violations } = await axe.run(document.body, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
    rules: Object.fromEntries(needLayout.map((id) => [id, { enabled: false }])),
    resultTypes: ['violations'],
  })
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}
