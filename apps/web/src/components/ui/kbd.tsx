import { keyCaps } from '../../lib/browser/hotkeys.ts'
import { cx } from '../../lib/cx.ts'

export interface KeyCapsProps {
  /** Keys as registered: `mod+k`, `g t`, `/`. */
  readonly keys: string
  /** Set on a filled button. */
  readonly onAccent?: boolean
  readonly className?: string
}

/** A key combination the way it is printed on keys. */
export function KeyCaps({ keys, onAccent = false, className }: KeyCapsProps) {
  return (
    <span className={cx('inline-flex items-center gap-0.5', className)} aria-hidden>
      {keyCaps(keys).map((cap) => (
        <kbd
          key={cap}
          className={cx(
            'grid h-[18px] min-w-[18px] place-items-center rounded-sm border px-1 font-medium font-sans text-[11px] leading-none',
            onAccent ? 'border-on-accent/30 text-on-accent' : 'border-line bg-sunken text-muted',
          )}
        >
          {cap.length === 1 ? cap.toUpperCase() : cap}
        </kbd>
      ))}
    </span>
  )
}
