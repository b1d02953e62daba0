import { defaultSchema, type Options } from 'rehype-sanitize'

/** Properties of looks and of positions within the own text. None of them can cover another part of the page. */
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

/** Makes rehype leave only allowed declarations in style attributes. */
export function safeStyles() {
  return (root: SyntaxNode): void => sanitizeNode(root)
}

function sanitizeNode({ properties: attributes, children = [] }: SyntaxNode): void {
  if (typeof attributes?.['style'] === 'string') attributes['style'] = safeStyle(attributes['style'])
  children.forEach(sanitizeNode)
}

/** Elements of text, tables, lists and images; other elements keep only their text, unless `strip` names them. */
const tagNames = (
  'a abbr b blockquote br caption center cite code col colgroup dd del details div dl dt em figcaption figure font ' +
  'h1 h2 h3 h4 h5 h6 hr i img input ins kbd li mark ol p picture pre q rp rt ruby s samp section small source span ' +
  'strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var'
).split(' ')

/** Removed with their content. */
const strip = (
  'script style noscript template title textarea select option button iframe frame frameset object embed applet svg ' +
  'math video audio canvas dialog'
).split(' ')

const aria = ['ariaDescribedBy', 'ariaHidden', 'ariaLabel', 'ariaLabelledBy', 'role']

/**
 * Schema of the operator's HTML on a page: no scripts and handlers, no forms, frames and drawings, no addresses except those of links
 * and pictures. Styles pass here, and `safeStyles` checks them one by one.
 */
export const safeSchema: Options = {
  ...defaultSchema,
  tagNames,
  strip,
  attributes: {
    a: ['href', 'dataFootnoteBackref', 'dataFootnoteRef'],
    blockquote: ['cite'],
    code: [['className', /^language-./]],
    details: ['open'],
    font: ['color', 'face', 'size'],
    h2: [['className', 'sr-only']],
    img: ['src', 'alt', 'loading'],
    input: [['type', 'checkbox'], ['disabled', true], 'checked'],
    li: [['className', 'task-list-item']],
    ol: ['start', 'type', 'reversed', ['className', 'contains-task-list']],
    section: ['dataFootnotes', ['className', 'footnotes']],
    source: ['srcSet', 'media', 'type'],
    ul: [['className', 'contains-task-list']],
    '*': [
      ...aria,
      'align',
      'bgColor',
      'border',
      'cellPadding',
      'cellSpacing',
      'colSpan',
      'dateTime',
      'dir',
      'height',
      'id',
      'lang',
      'rowSpan',
      'scope',
      'span',
      'style',
      'title',
      'vAlign',
      'width',
    ],
  },
  required: { input: { disabled: true, type: 'checkbox' } },
  protocols: { cite: ['http', 'https'], href: ['http', 'https', 'mailto', 'tel'], src: ['http', 'https'] },
}
