import { findChannelType } from '@tollgate/api/channel-types'
import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { Select } from '../../../components/ui/select/select.tsx'
import type { ChannelForm } from './channel-form.ts'
import { formFields, formSections, type NamedField, namedFields } from './form-fields.ts'
import { useFieldLabel } from './plain-fields.tsx'
import { revealField, revealSection } from './reveal.ts'

/** The search finds the entries of `setting` by their own names. */
const settings = ['proxy'] as const

export interface SectionNavProps {
  /** The element that holds the sections. */
  readonly body: RefObject<HTMLElement | null>
  readonly form: ChannelForm
}

/** Ways into a long form: its sections, and a search over its fields, folded ones included. */
export function SectionNav({ body, form }: SectionNavProps) {
  const { t } = useTranslation('channels')
  return (
    <nav aria-label={t('form.sections')} className="flex items-center gap-1 overflow-x-auto px-4 py-1.5">
      {formSections.map((section) => (
        <button
          key={section}
          type="button"
          className="h-control-sm shrink-0 whitespace-nowrap rounded px-2 text-muted max-sm:min-h-10 text-xs hover:bg-hover hover:text-text"
          onClick={() => revealSection(body.current, section)}
        >
          {t(`section.${section}`)}
        </button>
      ))}
      <span className="ml-auto w-44 max-sm:hidden">
        <FieldSearch body={body} form={form} />
      </span>
    </nav>
  )
}

function FieldSearch({ body, form }: SectionNavProps) {
  const { t } = useTranslation('channels')
  const fieldLabel = useFieldLabel()
  const visible = namedFields
    .filter((field) => isVisible(field, form))
    .map((field) => ({
      value: field as string,
      label: fieldLabel(field),
      hint: t(`section.${formFields[field].section}`),
    }))
  const inside = settings.map((name) => ({
    value: `setting/${name}`,
    label: t(`setting.${name}`),
    hint: t('field.setting'),
  }))

  function find(value: string): void {
    const [field = ''] = value.split('/')
    // The list gives the focus back to its button when it closes: what is found takes it after that.
    setTimeout(() => revealField(body.current, `[data-field="${field}"]`), 60)
  }

  return (
    <Select
      value={undefined}
      onValueChange={find}
      options={[...visible, ...inside]}
      placeholder={t('form.find')}
      aria-label={t('form.find')}
      searchable
      className="h-control-sm! text-xs!"
    />
  )
}

function isVisible(field: NamedField, form: ChannelForm): boolean {
  if (field === 'organization') return findChannelType(form.type)?.hasOrganization === true
  return field !== 'other' || findChannelType(form.type)?.other !== undefined
}
