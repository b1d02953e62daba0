/** How things look and where they stand within their own text. Nothing here can cover another part of the page. */
const properties = new Set(
  (
    'align-items background background-color border border-bottom border-collapse border-color border-left ' +
    'border-radius border-right border-spacing border-style border-top border-width color column-gap display flex ' +
    'flex-basis flex-direction flex-grow flex-shrink flex-wrap float font-family font-size font-style font-weight gap ' +
    'grid-template-columns height justify-content letter-spacing line-height list-style list-style-type margin ' +
    'margin-bottom margin-left margin-right margin-top max-height max-width min-height min-width opacity overflow-wrap ' +
    'padding padding-bottom padding-left padding-right padding-top row-gap text-align text-decoration text-indent ' +
    'text-transform vertical-align white-space width word-break'
  ).split(' '),
)

/** Addresses, escapes, comments, and amounts that pull something out of its place. */
const suspicious = /url|image|expression|@|\\|\/\*|(^|[\s(,])-\s*[\d.]/i

/** The declarations of a style attribute that are allowed. */
export function safeStyle(style: string): string {
  return style
    .split(';')
    .filter((declaration) => {
      const [name = '', ...value] = declaration.split(':')
      return properties.has(name.trim().toLowerCase()) && !suspicious.test(value.join(':'))
    })
    .map((declaration) => declaration.trim())
    .join('; ')
}

interface SyntaxNode {
  readonly type: string
  readonly properties?: Record<string, unknown>
  readonly children?: readonly SyntaxNode[]
}

/** For rehype: leaves only allowed declarations in style attributes. */
export function safeStyles() {
  return (root: SyntaxNode): void => sanitizeNode(root)
}

function sanitizeNode({ properties: attributes, children = [] }: SyntaxNode): void {
  if (typeof attributes?.['style'] === 'string') attributes['style'] = safeStyle(attributes['style'])
  children.forEach(sanitizeNode)
}
