import { type ComponentProps, isValidElement, memo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import Markdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { CopyButton } from '../../../components/ui/copy.tsx'

export interface MarkdownTextProps {
  readonly text: string
}

/**
 * A model's words as Markdown. HTML in them is shown as text, and pictures as links: an answer must not make the
 * browser fetch anything by itself.
 */
export const MarkdownText = memo(function MarkdownText({ text }: MarkdownTextProps) {
  return (
    <div className="flex min-w-0 flex-col gap-3 break-words leading-relaxed">
      <Markdown remarkPlugins={plugins} components={components}>
        {text}
      </Markdown>
    </div>
  )
})

const plugins = [remarkGfm]

const components: Components = {
  a: ({ href, children }) => <SafeLink href={href}>{children}</SafeLink>,
  img: ({ src, alt }) => <SafeLink href={typeof src === 'string' ? src : undefined}>{alt || src}</SafeLink>,
  pre: ({ children }) => <CodeFrame>{children}</CodeFrame>,
  code: ({ children }) => (
    <code className="rounded-sm bg-hover px-1 py-px text-[0.92em] [pre_&]:bg-transparent [pre_&]:p-0 [pre_&]:text-xs">
      {children}
    </code>
  ),
  h1: ({ children }) => <h3 className="mt-1 font-semibold text-lg">{children}</h3>,
  h2: ({ children }) => <h4 className="mt-1 font-semibold text-base">{children}</h4>,
  h3: ({ children }) => <h5 className="mt-1 font-semibold">{children}</h5>,
  h4: ({ children }) => <h6 className="font-semibold">{children}</h6>,
  ul: ({ children }) => <ul className="flex list-disc flex-col gap-1 pl-5 marker:text-faint">{children}</ul>,
  ol: ({ children, start }) => (
    <ol start={start} className="flex list-decimal flex-col gap-1 pl-6 marker:text-muted">
      {children}
    </ol>
  ),
  blockquote: ({ children }) => (
    <blockquote className="flex flex-col gap-2 border-line-strong border-l-2 pl-3 text-muted">
      {children}
    </blockquote>
  ),
  hr: () => <hr className="border-t" />,
  table: ({ children }) => (
    <div className="max-w-full overflow-x-auto rounded border">
      <table className="w-full border-collapse text-sm">{children}</table>
    </div>
  ),
  th: ({ children, style }) => (
    <th className="border-b bg-sunken px-3 py-1.5 text-left font-medium text-xs" style={style}>
      {children}
    </th>
  ),
  td: ({ children, style }) => (
    <td className="border-b px-3 py-1.5 [tr:last-child>&]:border-b-0" style={style}>
      {children}
    </td>
  ),
}

/** Markdown's own check leaves only harmless protocols; what it emptied is no link. */
function SafeLink({ href, children }: { readonly href: string | undefined; readonly children: ReactNode }) {
  if (!href) return <>{children}</>
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="text-accent-text underline underline-offset-2"
    >
      {children}
    </a>
  )
}

/** A code block with the name of its language and a button that copies it. */
function CodeFrame({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation('playground')
  const { className = '', children: code = '' } = isValidElement<ComponentProps<'code'>>(children)
    ? children.props
    : {}
  const language = /language-(\S+)/.exec(className)?.[1]
  return (
    <div className="min-w-0 overflow-hidden rounded border bg-sunken">
      <div className="flex items-center justify-between border-b py-0.5 pr-1 pl-3 text-muted text-xs">
        <span className="font-mono">{language ?? t('code')}</span>
        <CopyButton value={String(code).replace(/\n$/, '')} label={t('copyCode')} />
      </div>
      <pre className="overflow-x-auto p-3 text-xs leading-relaxed">{children}</pre>
    </div>
  )
}
