/** The columns of a record that `@tollgate/api` declares. */
import { type Bare, bareSchema, type HasDefault } from '@tollgate/api'
import type { Generated } from 'kysely'
import { z } from 'zod'
import {
  type Column,
  type Flag,
  flag,
  integer,
  named,
  optionalInteger,
  real,
  text,
  textList,
} from './table.ts'

/** The database holds names as numbers, switches as 0 and 1, and lists as JSON. */
type Stored<Schema> =
  Bare<Schema> extends z.ZodCodec<infer Wire, infer Inner>
    ? Bare<Inner> extends z.ZodEnum
      ? z.output<Wire>
      : Stored<Inner>
    : Bare<Schema> extends z.ZodNullable<infer Inner>
      ? Stored<Inner> | null
      : Bare<Schema> extends z.ZodBoolean
        ? Flag
        : Bare<Schema> extends z.ZodArray
          ? string
          : z.output<Bare<Schema>>

/** An insert may leave out the id, which the database generates, and optional fields of a new record. */
type ColumnsOf<Shape> = {
  readonly [Name in keyof Shape]: Column<
    z.output<Shape[Name]>,
    Name extends 'id'
      ? Generated<number>
      : HasDefault<Shape[Name]> extends true
        ? Generated<Stored<Shape[Name]>>
        : Stored<Shape[Name]>
  >
}

/** Returns the columns that store the fields of a record. */
export function columnsOf<Shape extends z.ZodRawShape>(record: z.ZodObject<Shape>): ColumnsOf<Shape> {
  const columns = Object.entries<z.core.$ZodType>(record.shape).map(([name, schema]) => [
    name,
    columnOf(schema as z.ZodType),
  ])
  return Object.fromEntries(columns)
}

function columnOf(marked: z.ZodType): Column<never, unknown> {
  const schema = bareSchema(marked)
  if (schema instanceof z.ZodCodec) {
    const inner = bareSchema(schema.def.out as z.ZodType)
    return inner instanceof z.ZodEnum ? nameColumn(schema, inner) : columnOf(inner)
  }
  if (schema instanceof z.ZodNullable) return optionalInteger() as Column<never, unknown>
  if (schema instanceof z.ZodBoolean) return flag() as Column<never, unknown>
  if (schema instanceof z.ZodArray) return textList() as Column<never, unknown>
  if (schema instanceof z.ZodString || schema instanceof z.ZodEnum) return text() as Column<never, unknown>
  const isFraction = schema instanceof z.ZodNumber && !schema.isInt
  return (isFraction ? real() : integer()) as Column<never, unknown>
}

/** A name, stored as its number in JSON. */
function nameColumn(codec: z.ZodCodec, names: z.ZodEnum): Column<never, unknown> {
  const numbers = names.options.map((name) => [name, z.encode(codec, name)])
  return named(Object.fromEntries(numbers)) as Column<never, unknown>
}
