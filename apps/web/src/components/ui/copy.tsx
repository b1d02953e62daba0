import { Check, Copy } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { copyText } from '../../lib/copy.ts'
import { cx } from '../../lib/cx.ts'
import { Button, type ButtonSize, type ButtonVariant, IconButton } from './button.tsx'

/** Copies and remembers for a moment that it did. */
function useCopy(value: string | (() => Promise<string>)) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 1500)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async () => setCopied(await copyText(typeof value === 'string' ? value : await value()))
  return { copied, copy }
}

export interface CopyButtonProps {
  /** What is copied, or how to get it. */
  readonly value: string | (() => Promise<string>)
  /** What it is: "Copy key". */
  readonly label: string
  /** Shows the label beside the icon. */
  readonly withText?: boolean
  readonly size?: ButtonSize
  readonly variant?: ButtonVariant
}

/** A button that copies. */
export function CopyButton({ value, label, withText = false, size = 'sm', variant }: CopyButtonProps) {
  const { t } = useTranslation()
  const { copied, copy } = useCopy(value)
  const icon = copied ? Check : Copy
  const name = copied ? t('copy.done') : label
  if (withText) {
    return (
      <Button icon={icon} size={size} variant={variant ?? 'secondary'} onClick={copy} aria-live="polite">
        {name}
      </Button>
    )
  }
  return <IconButton icon={icon} label={name} size={size} variant={variant ?? 'ghost'} onClick={copy} />
}

export interface CopyTextProps {
  readonly value: string
  /** What is shown, when it is not the value itself. */
  readonly children?: ReactNode
  readonly mono?: boolean
  readonly className?: string
}

/** Text that is copied by a press on it: model names, ids, group names. */
export function CopyText({ value, children, mono = true, className }: CopyTextProps) {
  const { t } = useTranslation()
  const { copied, copy } = useCopy(value)
  return (
    <button
      type="button"
      title={t('copy.click')}
      aria-label={t('copy.value', { value })}
      onClick={(event) => {
        event.stopPropagation()
        void copy()
      }}
      className={cx(
        'group inline-flex max-w-full items-center gap-1 rounded-sm text-left hover:text-accent-text max-sm:min-h-9',
        mono && 'font-mono text-[0.93em]',
        className,
      )}
    >
      <span className="truncate">{children ?? value}</span>
      {copied ? (
        <Check className="size-3 shrink-0 text-good" aria-hidden />
      ) : (
        <Copy
          className="size-3 shrink-0 text-faint opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100 max-sm:opacity-100"
          aria-hidden
        />
      )}
      <span className="sr-only" role="status">
        {copied && t('copy.done')}
      </span>
    </button>
  )
}

/** A block to be copied whole: a command, a snippet. */
export function CodeBlock({ code, label }: { readonly code: string; readonly label: string }) {
  return (
    <div className="relative min-w-0 rounded border bg-sunken">
      <pre className="overflow-x-auto p-3 pr-12 text-xs leading-relaxed">{code}</pre>
      <span className="absolute top-1.5 right-1.5 rounded bg-sunken">
        <CopyButton value={code} label={label} />
      </span>
    </div>
  )
}
