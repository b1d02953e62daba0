import {
  type ComponentProps,
  isValidElement,
  memo,
  type ReactNode,
  useEffect,
  useMemo,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import type { Components, Options } from 'react-markdown'
import Markdown from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { CopyButton } from '../../../components/ui/copy.tsx'
import { cx } from '../../../lib/cx.ts'
import { markdownBlocks } from './markdown-blocks.ts'
import { holdsMaths, withMathsMarks } from './maths-marks.ts'

export interface MarkdownTextProps {
  readonly text: string
}

/**
 * A model's text as Markdown. Shows HTML as text, and images as links: a response must not make the
 * browser fetch anything by itself.
 */
export const MarkdownText = memo(function MarkdownText({ text }: MarkdownTextProps) {
  const blocks = useMemo(() => markdownBlocks(withMathsMarks(text)), [text])
  return (
    <div className="flex min-w-0 flex-col gap-3 break-words leading-relaxed">
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces are only ever added at the end
        <Block key={index} text={block} />
      ))}
    </div>
  )
})

/** One piece of a response; rendered again only when its own text changes. */
const Block = memo(function Block({ text }: MarkdownTextProps) {
  const plugins = usePlugins({ code: /(```|~~~)\s*\w/.test(text), maths: holdsMaths(text) })
  return (
    <Markdown
      remarkPlugins={[remarkGfm, ...plugins.remark]}
      rehypePlugins={plugins.rehype}
      components={components}
    >
      {text}
    </Markdown>
  )
})

const components: Components = {
  a: ({ href, children }) => <SafeLink href={href}>{children}</SafeLink>,
  img: ({ src, alt }) => <SafeLink href={typeof src === 'string' ? src : undefined}>{alt || src}</SafeLink>,
  pre: ({ children }) => <CodeFrame>{children}</CodeFrame>,
  code: ({ children, className }) => (
    <code
      className={cx(
        className,
        'rounded-sm bg-hover px-1 py-px text-[0.92em] [pre_&]:bg-transparent [pre_&]:p-0 [pre_&]:text-xs',
      )}
    >
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

/** Markdown's own check leaves only harmless protocols; an emptied address is not a link. */
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
  const { className = '', children: code } = isValidElement<ComponentProps<'code'>>(children)
    ? children.props
    : {}
  const language = /language-(\S+)/.exec(className)?.[1]
  return (
    <div className="min-w-0 overflow-hidden rounded border bg-sunken">
      <div className="flex items-center justify-between border-b py-0.5 pr-1 pl-3 text-muted text-xs">
        <span className="font-mono">{language ?? t('code.plain')}</span>
        <CopyButton value={textIn(code).replace(/\n$/, '')} label={t('copyCode')} />
      </div>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable from the keyboard
        tabIndex={0}
        className="overflow-x-auto p-3 text-xs leading-relaxed focus-visible:-outline-offset-2"
      >
        {children}
      </pre>
    </div>
  )
}

/** Colours put words into elements; what is copied is the words. */
function textIn(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node)
  if (Array.isArray(node)) return node.map(textIn).join('')
  return isValidElement<{ readonly children?: ReactNode }>(node) ? textIn(node.props.children) : ''
}

/** Extensions of reading Markdown: both lists of `react-markdown`. */
interface Plugins {
  readonly remark: NonNullable<Options['remarkPlugins']>
  readonly rehype: NonNullable<Options['rehypePlugins']>
}

interface PluginModule {
  readonly remarkPlugins?: readonly unknown[]
  readonly rehypePlugins: readonly unknown[]
}

const loaders = {
  code: () => import('./highlight-plugin.ts'),
  maths: () => import('./maths-plugin.ts'),
} as const
type PluginName = keyof typeof loaders

const loaded = new Map<PluginName, PluginModule>()

/** Highlighting and maths are large: each loads with the first response that needs it, and does nothing until then. */
function usePlugins(needs: Readonly<Record<PluginName, boolean>>): Plugins {
  const [, redraw] = useState(0)
  const { code, maths } = needs
  useEffect(() => {
    let current = true
    const missing = [code && ('code' as const), maths && ('maths' as const)].filter(
      (name) => name !== false && !loaded.has(name),
    )
    for (const name of missing) {
      if (name === false) continue
      // Text without colours is still text: a chunk that cannot be loaded changes nothing.
      loaders[name]().then(
        (module) => {
          loaded.set(name, module)
          if (current) redraw((count) => count + 1)
        },
        () => {},
      )
    }
    return () => {
      current = false
    }
  }, [code, maths])
  const wanted = [maths && loaded.get('maths'), code && loaded.get('code')].filter(isModule)
  return {
    remark: wanted.flatMap(({ remarkPlugins }) => remarkPlugins ?? []) as Plugins['remark'],
    rehype: wanted.flatMap(({ rehypePlugins }) => rehypePlugins) as Plugins['rehype'],
  }
}

function isModule(value: PluginModule | false | undefined): value is PluginModule {
  return value !== undefined && value !== false
}
