import { ChevronsUpDown } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { cx } from '../../lib/cx.ts'

export const selectTriggerClass =
  'field flex h-control w-full min-w-0 items-center justify-between gap-2 px-2.5 text-left text-sm'

export interface SelectFaceProps {
  /** What is chosen. */
  readonly text: string | undefined
  readonly placeholder: string | undefined
}

/** What a select's button shows. */
export function SelectFace({ text, placeholder }: SelectFaceProps) {
  const { t } = useTranslation()
  return (
    <>
      <span className={cx('min-w-0 truncate', text === undefined && 'text-faint')}>
        {text ?? placeholder ?? t('select.placeholder')}
      </span>
      <ChevronsUpDown className="size-3.5 shrink-0 text-faint" aria-hidden />
    </>
  )
}
