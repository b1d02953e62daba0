import { Check, Copy } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { copyText } from '../../lib/browser/copy.ts'
import { cx } from '../../lib/cx.ts'
import { toast } from '../../lib/toast.ts'
import { Button, type ButtonSize, type ButtonVariant, IconButton } from './button.tsx'

/** Copies, says so, and remembers it for a moment. */
function useCopy(value: string | (() => Promise<string>)) {
  const { t } = useTranslation()
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 1500)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async () => {
    try {
      const isCopied = await copyText(typeof value === 'string' ? value : await value())
      setCopied(isCopied)
      if (isCopied) toast.success(t('copy.toast'))
    } catch (cause) {
      toast.error(cause instanceof Error ? cause.message : String(cause))
    }
  }
  return { copied, copy }
}

export interface CopyButtonProps {
  /** Text to copy, or a function that loads it. */
  readonly value: string | (() => Promise<string>)
  /** Label with the object: "Copy key". */
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
  /** Visible content, when it is not the value itself. */
  readonly children?: ReactNode
  readonly mono?: boolean
  /** The text copies as well, where a press on it opens no row. */
  readonly pressable?: boolean
  readonly className?: string
}

/** Text with a button that copies it: model names, ids, group names. */
export function CopyText({ value, children, mono = true, pressable = false, className }: CopyTextProps) {
  const { t } = useTranslation()
  const { copied, copy } = useCopy(value)
  const label = t('copy.value', { value })
  const button = {
    type: 'button' as const,
    'aria-label': label,
    'data-tooltip': copied ? t('copy.done') : label,
    onClick: () => void copy(),
  }
  const text = <span className="min-w-0 truncate">{children ?? value}</span>
  const mark = copied ? (
    <Check className="size-3 text-good" aria-hidden />
  ) : (
    <Copy className="size-3" aria-hidden />
  )
  return (
    <span
      className={cx(
        'group/copy inline-flex max-w-full items-center gap-0.5 text-left',
        mono && 'font-mono text-[0.93em]',
        className,
      )}
    >
      {pressable ? (
        <button
          {...button}
          className="inline-flex min-w-0 cursor-pointer items-center rounded-sm hover:underline max-sm:min-h-9"
        >
          {text}
          <span className={cx('-mr-2 text-faint', markClass)}>{mark}</span>
        </button>
      ) : (
        <>
          {text}
          <button
            {...button}
            className={cx('-mr-2 rounded-sm text-faint hover:bg-hover hover:text-text', markClass)}
          >
            {mark}
          </button>
        </>
      )}
      <span className="sr-only" role="status">
        {copied && t('copy.done')}
      </span>
    </span>
  )
}

/** Shown where a pointer is, where the keyboard is, and always where there is neither. */
const markClass =
  'grid size-6 shrink-0 place-items-center opacity-0 focus-visible:opacity-100 group-hover/copy:opacity-100 max-sm:-mr-3 max-sm:size-9 max-sm:opacity-100 pointer-coarse:opacity-100'

/** A block to be copied whole: a command, a snippet. */
export function CodeBlock({ code, label }: { readonly code: string; readonly label: string }) {
  return (
    <div className="flex min-w-0 items-start rounded border bg-sunken">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable from the keyboard */}
      <pre tabIndex={0} className="min-w-0 flex-1 overflow-x-auto rounded p-3 text-xs leading-relaxed">
        {code}
      </pre>
      <span className="shrink-0 self-stretch border-l p-1.5">
        <CopyButton value={code} label={label} />
      </span>
    </div>
  )
}
