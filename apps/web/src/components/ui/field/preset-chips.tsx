import { cx } from '../../../lib/cx.ts'
import { Button } from '../button.tsx'
import { useFieldName } from './field.tsx'

export interface PresetChip {
  readonly label: string
  /** Says that this is what the field holds now. */
  readonly pressed?: boolean
  readonly choose: () => void
}

/** Values that are wanted often, a press away. */
export function PresetChips({ chips }: { readonly chips: readonly PresetChip[] }) {
  const accessibleName = useFieldName()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend, and the field's label is it already
    <div role="group" {...accessibleName} className="flex flex-wrap gap-1">
      {chips.map(({ label, pressed, choose }) => (
        <Button
          key={label}
          size="sm"
          aria-pressed={pressed}
          className={cx('figures', pressed && 'border-accent! bg-accent-soft! text-accent-text!')}
          onClick={choose}
        >
          {label}
        </Button>
      ))}
    </div>
  )
}
