import type { ReactNode } from 'react'
import Markdown, { type Options } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { SafeHtml } from '../../lib/safe-html.tsx'

const looks = [
  'flex min-w-0 flex-col gap-3 break-words text-base leading-relaxed',
  '[&_h1]:mt-2 [&_h1]:font-semibold [&_h1]:text-2xl [&_h1]:tracking-tight [&_h2]:mt-2 [&_h2]:font-semibold [&_h2]:text-xl',
  '[&_h3]:mt-1 [&_h3]:font-semibold [&_h3]:text-lg [&_h4]:font-semibold [&_p>img]:inline',
  '[&_ul]:list-disc [&_ul]:pl-6 [&_ol]:list-decimal [&_ol]:pl-6 [&_a]:text-accent-text [&_a]:underline',
  '[&_blockquote]:border-line-strong [&_blockquote]:border-l-2 [&_blockquote]:pl-3 [&_blockquote]:text-muted',
  '[&_code]:rounded-sm [&_code]:bg-hover [&_code]:px-1 [&_code]:font-mono [&_code]:text-sm',
  '[&_pre]:overflow-x-auto [&_pre]:rounded [&_pre]:border [&_pre]:bg-sunken [&_pre]:p-3 [&_pre_code]:bg-transparent',
  '[&_table]:block [&_table]:overflow-x-auto [&_th]:border [&_th]:px-3 [&_th]:py-1.5 [&_th]:text-left [&_td]:border [&_td]:px-3 [&_td]:py-1.5',
  '[&_hr]:border-t [&_img]:max-h-none [&_img]:max-w-full',
].join(' ')

/** The operator's Markdown with HTML in it, or HTML. Nothing in it runs. */
export function OperatorText({ text }: { readonly text: string }): ReactNode {
  return (
    <div className={looks}>
      {text.trimStart().startsWith('<') ? (
        <SafeHtml html={text} />
      ) : (
        <Markdown
          remarkPlugins={remarkPlugins}
          remarkRehypeOptions={remarkRehypeOptions}
          rehypePlugins={rehypePlugins}
          components={components}
        >
          {text}
        </Markdown>
      )}
    </div>
  )
}

const remarkPlugins = [remarkGfm]
const remarkRehypeOptions = { allowDangerousHtml: true }
const rehypePlugins = [markRawHtml]

interface SyntaxNode {
  readonly type: string
  readonly value?: string
  readonly children?: SyntaxNode[]
}

/** Hands HTML between the Markdown on as the text of an element that `components` rebuilds from the allowed ones. */
function markRawHtml() {
  return (root: SyntaxNode): void => mark(root)
}

function mark(node: SyntaxNode): void {
  for (const [index, child] of node.children?.entries() ?? []) {
    if (child.type === 'raw') node.children?.splice(index, 1, rawHtml(child))
    else mark(child)
  }
}

function rawHtml(node: SyntaxNode): SyntaxNode {
  const element = {
    type: 'element',
    tagName: rawElement,
    properties: {},
    children: [{ ...node, type: 'text' }],
  }
  return element
}

const rawElement = 'template'

const components: Options['components'] = {
  [rawElement]: ({ children }) => <SafeHtml html={String(children)} />,
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  ),
}
