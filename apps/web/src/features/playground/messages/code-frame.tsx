import { type ComponentProps, isValidElement, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../components/ui/copy.tsx'

/** A code block with the name of its language and a button that copies it. */
export function CodeFrame({ children }: { readonly children: ReactNode }) {
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
