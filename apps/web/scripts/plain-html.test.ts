import { expect, it } from 'bun:test'
import { withoutComments } from './plain-html.ts'

it('leaves the code of a page and nothing for its readers', () => {
  const page =
    '<html>\n  <!-- two\n  lines -->\n  <script>\n    // why\n    run("//x") // not a line\n  </script>\n</html>\n'
  expect(withoutComments(page)).toBe('<html>\n<script>\nrun("//x") // not a line\n</script>\n</html>\n')
})
