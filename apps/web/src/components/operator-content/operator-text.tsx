import type { ReactNode } from 'react'
import type { Options } from 'react-markdown'
import Markdown from 'react-markdown'
import rehypeRaw from 'rehype-raw'
import rehypeSanitize from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import { safeSchema, safeStyles } from './safe-html.ts'

const looks = {
  page: [
    'flex min-w-0 flex-col gap-3 overflow-x-clip break-words text-base leading-relaxed',
    '[&_h1]:mt-2 [&_h1]:font-semibold [&_h1]:text-2xl [&_h1]:tracking-tight [&_h2]:mt-2 [&_h2]:font-semibold [&_h2]:text-xl',
    '[&_h3]:mt-1 [&_h3]:font-semibold [&_h3]:text-lg [&_h4]:font-semibold [&_p>img]:inline',
    '[&_ul]:list-disc [&_ul]:pl-6 [&_ol]:list-decimal [&_ol]:pl-6 [&_a]:text-accent-text [&_a]:underline',
    '[&_blockquote]:border-line-strong [&_blockquote]:border-l-2 [&_blockquote]:pl-3 [&_blockquote]:text-muted',
    '[&_code]:rounded-sm [&_code]:bg-hover [&_code]:px-1 [&_code]:font-mono [&_code]:text-sm',
    '[&_pre]:overflow-x-auto [&_pre]:rounded [&_pre]:border [&_pre]:bg-sunken [&_pre]:p-3 [&_pre_code]:bg-transparent',
    '[&_table]:block [&_table]:overflow-x-auto [&_th]:border [&_th]:px-3 [&_th]:py-1.5 [&_th]:text-left [&_td]:border [&_td]:px-3 [&_td]:py-1.5',
    '[&_summary]:cursor-pointer [&_summary]:font-medium [&_mark]:bg-warn-soft [&_mark]:text-text [&_kbd]:rounded-sm [&_kbd]:border [&_kbd]:px-1',
    '[&_center]:text-center [&_[align=center]]:text-center [&_[align=right]]:text-right',
    '[&_hr]:border-t [&_img]:max-h-none [&_img]:max-w-full',
  ].join(' '),
  /** A line or two at the edge of a page. */
  line: 'overflow-x-clip [&_a]:underline [&_img]:inline [&_img]:max-h-8 [&_center]:text-center',
} as const

export interface OperatorTextProps {
  /** Markdown with HTML in it, or HTML. */
  readonly text: string
  readonly look?: keyof typeof looks
}

/** Shows a text of the operator, or the notes of a release. Nothing in it runs. */
export function OperatorText({ text, look = 'page' }: OperatorTextProps): ReactNode {
  return (
    <div className={looks[look]}>
      <Markdown
        remarkPlugins={remarkPlugins}
        remarkRehypeOptions={remarkRehypeOptions}
        rehypePlugins={rehypePlugins}
        components={components}
      >
        {text}
      </Markdown>
    </div>
  )
}

const remarkPlugins: Options['remarkPlugins'] = [remarkGfm, preserveHtml]
const remarkRehypeOptions = { allowDangerousHtml: true }
// Whatever the text says is made into elements first; only then is it decided what of it may stay.
const rehypePlugins: Options['rehypePlugins'] = [rehypeRaw, [rehypeSanitize, safeSchema], safeStyles]

/** Names within the text are prefixed, so that none is taken for one of the console's. */
const namePrefix = '#user-content-'

const components: Options['components'] = {
  // An image without a description is decoration.
  img: ({ alt = '', node: _, ...rest }) => <img alt={alt} {...rest} />,
  a({ href = '', children, node: _, ...rest }) {
    const isHere = href.startsWith('#')
    const isOwn = isHere || (href.startsWith('/') && !href.startsWith('//'))
    return (
      <a
        {...rest}
        href={isHere ? namePrefix + href.slice(1) : href}
        {...(!isOwn && { target: '_blank', rel: 'noopener noreferrer' })}
      >
        {children}
      </a>
    )
  },
}

/** Lines that are headings, lists, quotations or code in Markdown. */
const markdownLine = /^(#{1,6} |[-*+] |\d+\. |> |```)/m

/** Recognises a text that is HTML from end to end; one that merely begins with HTML is Markdown with HTML in it. */
function isHtmlOnly(text: string): boolean {
  const trimmed = text.trim()
  return trimmed.startsWith('<') && trimmed.endsWith('>') && !markdownLine.test(trimmed)
}

interface Root {
  children: unknown[]
}

/** Makes remark take a text of HTML unchanged. As Markdown, its indented lines would be code. */
function preserveHtml() {
  return (root: Root, file: { readonly value: unknown }): void => {
    const text = String(file.value)
    if (isHtmlOnly(text)) root.children = [{ type: 'html', value: text }]
  }
}
