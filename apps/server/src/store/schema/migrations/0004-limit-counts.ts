import type { SqlDialect } from '../../dialects/sql-dialect.ts'

/**
 * Counts of limits that the nodes of a fleet share. The tables are unlogged: a crash of the server forgets windows of minutes,
 * and slots in use are announced again. SQLite has one node, which counts in memory.
 */
export function limitCounts({ kind }: SqlDialect): string[] {
  if (kind === 'sqlite') return []
  return [
    `create unlogged table limit_windows (
      key text primary key,
      window_number bigint not null,
      current bigint not null,
      previous bigint not null,
      expires_at timestamptz not null
    )`,
    `create unlogged table limit_slots (
      key text not null,
      node text not null,
      held bigint not null,
      seen_at timestamptz not null,
      primary key (key, node)
    )`,
    takeWindow,
    takeSlots,
    `create function take_limits(node text, requests jsonb) returns jsonb language plpgsql as $$
      declare
        request jsonb;
        slices jsonb := '[]';
      begin
        for request in select value from jsonb_array_elements(requests) loop
          if request ? 'windowMs' then
            slices := slices || take_limit_window(request);
          else
            slices := slices || take_limit_slots(node, request);
          end if;
        end loop;
        return slices;
      end $$`,
  ]
}

/** A sliding window in two numbers: the count of the window before weighs as much as is still in view of it. */
const takeWindow = `create function take_limit_window(request jsonb) returns jsonb language plpgsql as $$
  declare
    row_key text := request ->> 'key';
    window_ms bigint := (request ->> 'windowMs')::bigint;
    maximum numeric := (request ->> 'limit')::numeric;
    need bigint := (request ->> 'need')::bigint;
    wish bigint := (request ->> 'wish')::bigint;
    counted limit_windows;
    other jsonb := request -> 'atLeast';
    correction jsonb;
    at_window bigint;
    now_ms bigint;
    number bigint;
    used numeric;
    granted bigint;
  begin
    insert into limit_windows values (row_key, 0, 0, 0, clock_timestamp())
      on conflict (key) do update set expires_at = excluded.expires_at returning * into counted;
    now_ms := floor(extract(epoch from clock_timestamp()) * 1000);
    number := now_ms / window_ms;
    if number > counted.window_number then
      counted.previous := case when number = counted.window_number + 1 then counted.current else 0 end;
      counted.current := 0;
      counted.window_number := number;
    end if;
    if (other ->> 'window')::bigint = counted.window_number then
      counted.current := greatest(counted.current, (other ->> 'current')::bigint);
      counted.previous := greatest(counted.previous, (other ->> 'previous')::bigint);
    elsif (other ->> 'window')::bigint = counted.window_number - 1 then
      counted.previous := greatest(counted.previous, (other ->> 'current')::bigint);
    end if;
    for correction in select value from jsonb_array_elements(request -> 'corrections') loop
      at_window := (correction ->> 'window')::bigint;
      if at_window = counted.window_number or at_window = -1 then
        counted.current := greatest(0, counted.current + (correction ->> 'amount')::bigint);
      elsif at_window = counted.window_number - 1 then
        counted.previous := greatest(0, counted.previous + (correction ->> 'amount')::bigint);
      end if;
    end loop;
    used := counted.current + counted.previous * (1 - (now_ms % window_ms)::numeric / window_ms);
    granted := case when used + wish <= maximum / 2 then wish
      else least(need, greatest(0, floor(maximum - used))::bigint) end;
    counted.current := counted.current + granted;
    update limit_windows set window_number = counted.window_number, current = counted.current, previous = counted.previous,
      expires_at = clock_timestamp() + 2 * window_ms * interval '1 millisecond' where key = row_key;
    return jsonb_build_object('granted', granted, 'window', counted.window_number, 'current', counted.current,
      'previous', counted.previous, 'passedMs', now_ms % window_ms);
  end $$`

/** Slots are held by nodes. The row of the key in \`limit_windows\` is the lock under which they are counted. */
const takeSlots = `create function take_limit_slots(of_node text, request jsonb) returns jsonb language plpgsql as $$
  declare
    row_key text := request ->> 'key';
    maximum bigint := (request ->> 'limit')::bigint;
    need bigint := (request ->> 'need')::bigint;
    wish bigint := (request ->> 'wish')::bigint;
    own bigint := (request ->> 'held')::bigint;
    used bigint;
    granted bigint;
  begin
    insert into limit_windows values (row_key, 0, 0, 0, clock_timestamp() + interval '1 hour')
      on conflict (key) do update set expires_at = excluded.expires_at;
    select own + coalesce(sum(held), 0) into used from limit_slots
      where key = row_key and node <> of_node and seen_at > clock_timestamp() - interval '15 seconds';
    granted := case when used + wish <= maximum / 2 then wish else least(need, greatest(0, maximum - used)) end;
    if own + granted = 0 then
      delete from limit_slots where key = row_key and node = of_node;
    else
      insert into limit_slots values (row_key, of_node, own + granted, clock_timestamp())
        on conflict (key, node) do update set held = excluded.held, seen_at = excluded.seen_at;
    end if;
    return jsonb_build_object('granted', granted, 'window', 0, 'current', used + granted, 'previous', 0, 'passedMs', 0);
  end $$`
