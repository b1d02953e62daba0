/**
 * Reads a resource: a record that is declared once as a zod schema. `.readonly()` marks a field that no caller writes,
 * `.default()` a field that a new record may leave out, and a codec a field that JSON writes in another form. Columns,
 * limits and form sections, which zod cannot express, are metadata in the registry `field`.
 */
import { z } from 'zod'
import type { RefusalCode } from '../errors/index.ts'
import { queryInteger, queryText, quota, unixSeconds } from '../wire.ts'
import { brokenLimit, type Limits, maxOf, minOf } from './limits.ts'
import { snakeCase } from './snake-case.ts'

/** Metadata that a schema cannot express. */
export interface FieldFacts {
  readonly limits?: Limits
  /** Lists show the field, in the order of the schema unless a page has another. */
  readonly column?: {
    readonly sort?: true
    /** Window width in CSS pixels from which a list shows the column at first. */
    readonly from?: 768 | 820 | 960 | 1280 | 1360 | 1440
    /** Off until somebody switches it on. */
    readonly hidden?: true
  }
  /** Lists narrow to the rows with one value of the field, which is a text, a number or a switch. */
  readonly filter?: true
  /** Section of the form that edits the field as it is; without one a form edits it by a control of its own. */
  readonly section?: string
  /** Callers may send null for an empty text, as older programs do. */
  readonly nullIsEmpty?: true
}

export const field = z.registry<FieldFacts>()

/** The first limit that a value breaks. */
export interface BrokenLimit {
  readonly field: string
  readonly code: RefusalCode
  readonly min: number
  readonly max: number
}
type Refuse = (broken: BrokenLimit) => never

type Renames<Shape> = { readonly [Name in keyof Shape]?: string }

/** `createdAt` as `created_at`: the name of a field in JSON and in the database, where it is not renamed. */
export type SnakeCase<Name> = Name extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${SnakeCase<Tail>}`
  : ''
type WireName<Renamed, Name> = Name extends keyof Renamed
  ? Renamed[Name] extends string
    ? Renamed[Name]
    : SnakeCase<Name>
  : SnakeCase<Name>

/** The schema of a field without its marks. */
export type Bare<Schema> = Schema extends z.ZodReadonly<infer Inner> | z.ZodDefault<infer Inner>
  ? Bare<Inner>
  : Schema
type WireSchema<Schema> = Extract<
  Bare<Schema> extends z.ZodCodec<infer Wire> ? Wire : Bare<Schema>,
  z.core.$ZodType
>
type WritableName<Shape> = {
  [Name in keyof Shape]: Shape[Name] extends z.ZodReadonly ? never : Name
}[keyof Shape]
/** Says whether a new record may leave a field out, whoever writes it. */
export type HasDefault<Schema> =
  Schema extends z.ZodReadonly<infer Inner> ? HasDefault<Inner> : Schema extends z.ZodDefault ? true : false
type DefaultName<Shape> = {
  [Name in keyof Shape]: HasDefault<Shape[Name]> extends true ? Name : never
}[keyof Shape]
type Values<Shape, Name extends keyof Shape> = { readonly [Each in Name]: z.output<Shape[Each]> }

type WireRecord<Shape, Renamed> = z.ZodObject<{
  [Name in keyof Shape as WireName<Renamed, Name>]: WireSchema<Shape[Name]>
}>
/** The schema of a field in a body. */
type BodySchema<Shape, NeverNull, Name extends keyof Shape> = Name extends NeverNull
  ? WireSchema<Shape[Name]>
  : z.ZodNullable<WireSchema<Shape[Name]>>
type CreateBody<Shape, Renamed, NeverNull> = z.ZodObject<{
  [Name in WritableName<Shape> as WireName<Renamed, Name>]: Shape[Name] extends z.ZodDefault
    ? z.ZodDefault<BodySchema<Shape, NeverNull, Name>>
    : BodySchema<Shape, NeverNull, Name>
}>
type UpdateBody<Shape, Renamed, NeverNull> = z.ZodObject<{
  [Name in WritableName<Shape> as WireName<Renamed, Name>]: z.ZodOptional<BodySchema<Shape, NeverNull, Name>>
}>
/** The writable fields of a record in JSON. */
type WrittenRecord<Shape, Renamed> = {
  readonly [Name in WritableName<Shape> as WireName<Renamed, Name>]: z.output<WireSchema<Shape[Name]>>
}

export interface ResourceOptions<Name> {
  /** The fields that callers never send as null; in any other one null leaves it as it is. All of them without this. */
  readonly neverNull: readonly Name[]
}

/** @template NeverNull see `ResourceOptions` */
export interface Resource<
  Shape extends z.ZodRawShape,
  Renamed extends Renames<Shape>,
  NeverNull extends keyof Shape = keyof Shape,
> {
  readonly fields: readonly ResourceField[]
  /** A record as calls return it. */
  readonly wire: WireRecord<Shape, Renamed>
  /** The fields of a new record. */
  readonly createBody: CreateBody<Shape, Renamed, NeverNull>
  /** The fields that callers may change; absent ones stay as they are. */
  readonly updateBody: UpdateBody<Shape, Renamed, NeverNull>
  toWire(record: Values<Shape, keyof Shape>): z.output<WireRecord<Shape, Renamed>>
  /** Reads a body; calls `refuse` with the first limit that it breaks. */
  fromCreateBody(
    body: z.output<CreateBody<Shape, Renamed, NeverNull>>,
    refuse: Refuse,
  ): Values<Shape, WritableName<Shape>>
  fromUpdateBody(
    body: z.output<UpdateBody<Shape, Renamed, NeverNull>>,
    refuse: Refuse,
  ): Partial<Values<Shape, WritableName<Shape>>>
  /** The values of a new record in the fields that may be left out. */
  readonly defaults: Values<Shape, DefaultName<Shape>>
  /** The writable fields of a record in JSON: what a form edits, and the audit log shows. */
  toBody(record: Values<Shape, WritableName<Shape>>): WrittenRecord<Shape, Renamed>
  /** The writable fields of a record: the audit log has them before and after a change. */
  writableOf(record: Values<Shape, WritableName<Shape>>): Values<Shape, WritableName<Shape>>
  /** `sort` and `order` of a list; an unknown name means the id, any other word than `asc` descending. */
  readonly sortQuery: {
    readonly sort: z.ZodDefault<z.ZodCatch<z.ZodEnum<Readonly<Record<string, string>>>>>
    readonly order: typeof order
  }
  /** Names in JSON of the columns that a list is sorted by. */
  readonly sortNames: readonly string[]
  /** The field that a list is sorted by, from its name in JSON. */
  sortField(wireName: string): keyof Shape
  /** The parameters of a list's declared filters. The type names none of them: a call that reads one by itself lists it. */
  readonly filterQuery: Readonly<Record<never, z.ZodType>>
  /** The values that a query's declared filters ask for; `undefined` for a number that stands for no name. */
  filterValues(query: object): Partial<Values<Shape, keyof Shape>>
}

const order = z.enum(['asc', 'desc']).catch('desc').default('desc')

interface ResourceField {
  readonly name: string
  readonly wireName: string
  readonly wireSchema: z.ZodType
  readonly isWritable: boolean
  /** Null in a body leaves the field as it is. */
  readonly nullLeaves: boolean
  /** Default in JSON; `undefined` where a new record must have the field. */
  readonly default: unknown
  readonly facts: FieldFacts
  readonly toWire: (value: unknown) => unknown
  readonly fromWire: (value: unknown) => unknown
}

/** @param renamed names in JSON that are not the field's name in snake case */
export function defineResource<
  Shape extends z.ZodRawShape,
  const Renamed extends Renames<Shape>,
  NeverNull extends keyof Shape = keyof Shape,
>(
  record: z.ZodObject<Shape>,
  renamed: Renamed,
  options?: ResourceOptions<NeverNull>,
): Resource<Shape, Renamed, NeverNull> {
  const neverNull = new Set<unknown>(options?.neverNull ?? Object.keys(record.shape))
  const fields = Object.entries<z.core.$ZodType>(record.shape).map(([name, schema]) => ({
    ...readField(name, schema as z.ZodType, renamed[name] ?? snakeCase(name)),
    nullLeaves: !neverNull.has(name),
  }))
  const writable = fields.filter(({ isWritable }) => isWritable)
  // The types above say for each shape what zod builds here.
  const object = (chosen: readonly ResourceField[], schemaOf: (each: ResourceField) => z.ZodType) =>
    z.object(Object.fromEntries(chosen.map((each) => [each.wireName, schemaOf(each)])))
  const fromBody = (body: Readonly<Record<string, unknown>>, refuse: Refuse) =>
    Object.fromEntries(
      writable
        .filter(({ wireName, nullLeaves }) => !isAbsent(body[wireName], nullLeaves))
        .map((each) => [each.name, readValue(each, body[each.wireName], refuse)]),
    )
  return {
    fields,
    wire: object(fields, ({ wireSchema }) => wireSchema),
    createBody: object(writable, (each) =>
      each.default === undefined ? bodySchema(each) : bodySchema(each).default(each.default),
    ),
    updateBody: object(writable, (each) => bodySchema(each).optional()),
    toWire: (values: Readonly<Record<string, unknown>>) =>
      Object.fromEntries(fields.map((each) => [each.wireName, each.toWire(values[each.name])])),
    fromCreateBody: fromBody,
    fromUpdateBody: fromBody,
    defaults: Object.fromEntries(
      fields
        .filter((each) => each.default !== undefined)
        .map((each) => [each.name, each.fromWire(each.default)]),
    ),
    toBody: (values: Readonly<Record<string, unknown>>) =>
      Object.fromEntries(writable.map((each) => [each.wireName, each.toWire(values[each.name])])),
    writableOf: (values: Readonly<Record<string, unknown>>) =>
      Object.fromEntries(writable.map(({ name }) => [name, values[name]])),
    ...orderOf(fields),
    ...filtersOf(fields),
  } as never
}

/** Returns the parts that say by which of its columns a list is sorted. */
function orderOf(fields: readonly ResourceField[]) {
  const sortable = fields.filter(({ facts }) => facts.column?.sort)
  const sortNames = sortable.map(({ wireName }) => wireName)
  return {
    sortNames,
    sortQuery: {
      sort: z
        .enum(['id', ...sortNames])
        .catch('id')
        .default('id'),
      order,
    },
    sortField: (sent: string) => sortable.find(({ wireName }) => wireName === sent)?.name ?? 'id',
  }
}

function filtersOf(fields: readonly ResourceField[]) {
  const filters = fields.filter(({ facts }) => facts.filter)
  return {
    filterQuery: Object.fromEntries(filters.map((each) => [each.wireName, filterParameter(each)])),
    filterValues: (query: object) => valuesIn(filters, query),
  }
}

function readField(name: string, schema: z.ZodType, wireName: string): Omit<ResourceField, 'nullLeaves'> {
  const bare = bareSchema(schema)
  const codec = bare instanceof z.ZodCodec ? bare.def : undefined
  const toWire = (codec?.reverseTransform ?? unchanged) as ResourceField['toWire']
  return {
    name,
    wireName,
    wireSchema: (codec?.in as z.ZodType | undefined) ?? bare,
    isWritable: !(schema instanceof z.ZodReadonly),
    default: defaultOf(schema, toWire),
    facts: field.get(schema) ?? {},
    toWire,
    fromWire: (codec?.transform ?? unchanged) as ResourceField['fromWire'],
  }
}

function defaultOf(schema: z.ZodType, toWire: ResourceField['toWire']): unknown {
  if (schema instanceof z.ZodReadonly) return defaultOf(schema.unwrap() as z.ZodType, toWire)
  return schema instanceof z.ZodDefault ? toWire(schema.def.defaultValue) : undefined
}

const unchanged = (value: unknown) => value

/** Returns the schema of a filter's parameter; switches are 1 and 0 in a query. */
function filterParameter({ wireSchema }: ResourceField): z.ZodType {
  return kindOf(wireSchema) === 'text' ? queryText : queryInteger
}

function valuesIn(filters: readonly ResourceField[], query: object): Readonly<Record<string, unknown>> {
  const sent = new Map(Object.entries(query))
  const set = filters.filter(({ wireName }) => sent.get(wireName) !== undefined)
  return Object.fromEntries(
    set.map(({ name, wireName, wireSchema, fromWire }) => {
      const value = sent.get(wireName)
      return [name, fromWire(kindOf(wireSchema) === 'flag' ? value === 1 : value)]
    }),
  )
}

function isAbsent(sent: unknown, nullLeaves: boolean): boolean {
  return sent === undefined || (sent === null && nullLeaves)
}

function bodySchema({ wireSchema, facts, nullLeaves }: ResourceField): z.ZodType {
  return facts.nullIsEmpty || nullLeaves ? wireSchema.nullable() : wireSchema
}

function readValue(each: ResourceField, sent: unknown, refuse: Refuse): unknown {
  const value = each.fromWire(sent ?? '')
  const code = brokenLimit(each.facts.limits, each.toWire(value))
  if (code !== undefined) refuse(brokenBy(each, code))
  return value
}

function brokenBy({ wireName: field, facts: { limits } }: ResourceField, code: RefusalCode): BrokenLimit {
  return { field, code, min: minOf(limits), max: maxOf(limits) }
}

/** The schema of a field without its marks. */
export function bareSchema(schema: z.ZodType): z.ZodType {
  const isMarked = schema instanceof z.ZodReadonly || schema instanceof z.ZodDefault
  return isMarked ? bareSchema(schema.unwrap() as z.ZodType) : schema
}

/** How a list shows a value of a field, and how a form edits it. */
export type FieldKind = 'quota' | 'time' | 'integer' | 'flag' | 'text'

export function kindOf(schema: z.ZodType): FieldKind {
  if (schema instanceof z.ZodNumber) {
    if (schema.def === quota.def) return 'quota'
    return schema.def === unixSeconds.def ? 'time' : 'integer'
  }
  return schema instanceof z.ZodBoolean ? 'flag' : 'text'
}
