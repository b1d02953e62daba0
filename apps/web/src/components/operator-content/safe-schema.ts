import { defaultSchema, type Options } from 'rehype-sanitize'

/** Elements of text, tables, lists and pictures; what is left out keeps its words, unless it is named in `strip`. */
const tagNames = (
  'a abbr b blockquote br caption center cite code col colgroup dd del details div dl dt em figcaption figure font ' +
  'h1 h2 h3 h4 h5 h6 hr i img input ins kbd li mark ol p picture pre q rp rt ruby s samp section small source span ' +
  'strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var'
).split(' ')

/** Gone with everything in them. */
const strip = (
  'script style noscript template title textarea select option button iframe frame frameset object embed applet svg ' +
  'math video audio canvas dialog'
).split(' ')

const aria = ['ariaDescribedBy', 'ariaHidden', 'ariaLabel', 'ariaLabelledBy', 'role']

/**
 * What of an operator's HTML reaches the page: no scripts and handlers, no forms, frames and drawings, no addresses but
 * those of links and pictures. Styles are let through here and checked one by one by `safeStyles`.
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
