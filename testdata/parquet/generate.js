const { DuckDBInstance } = require('@duckdb/node-api');
const arrow = require('apache-arrow'), pq = require('parquet-wasm'), fs = require('fs');
(async () => {
  const c = await (await DuckDBInstance.create(':memory:')).connect();
  await c.run(`create table t as select i::int as id, case when i%7=3 then null else 'the river '||i||' runs past mill '||(i%5) end as body,
    case when i%5=4 then null when i%5=0 then []::varchar[] else ['a'||i, 'b'||(i%4), 'sea'] end as tokens,
    {'kind': 'k'||(i%3), 'deep': {'text': 'deep '||i}} as meta, i%2=0 as good, [i, i*2] as items, (i*1.5)::double as price from range(300) r(i)`);
  for (const [n,o] of [['duckdb-v1','compression snappy'],['duckdb-v2','compression zstd, parquet_version v2, row_group_size 128'],['duckdb-gzip','compression gzip'],['duckdb-lz4','compression lz4_raw']])
    await c.run(`copy (select * from t order by id) to '${n}.parquet' (format parquet, ${o})`);
  await c.run(`create table v as select 'owl w'||(i%7)||' w'||(i%11) as text, [i/4, (i%7)-3, (i%11)/8]::float[3] as vector,
    [i/4, (i%7)-3, (i%11)/8]::double[] as wide, case when i=5 then null else [i, i+1]::float[] end as gaps from range(100) r(i)`);
  await c.run(`copy (select * from v) to 'duckdb-vectors.parquet' (format parquet, compression zstd, row_group_size 2048)`);
  await c.run(`create table w as select 'w'||i as token, i as seen, [i/4, (i%7)-3, (i%11)/8]::double[] as embedding from range(5000) r(i)`);
  await c.run(`copy (select * from w order by seen) to 'duckdb-words.parquet' (format parquet, compression zstd, row_group_size 2048)`);
  const rows = Array.from({length: 300}, (_, i) => i);
  const utf8 = new arrow.Utf8(), list = new arrow.List(new arrow.Field('item', utf8, true));
  const table = new arrow.Table({
    id: arrow.vectorFromArray(rows, new arrow.Int32()),
    body: arrow.vectorFromArray(rows.map(i => i % 7 == 3 ? null : `the river ${i} runs past mill ${i % 5}`), utf8),
    tokens: arrow.vectorFromArray(rows.map(i => i % 5 == 4 ? null : i % 5 == 0 ? [] : ['a' + i, 'b' + i % 4, 'sea']), list),
    good: arrow.vectorFromArray(rows.map(i => i % 2 == 0), new arrow.Bool()),
  });
  const stream = pq.Table.fromIPCStream(arrow.tableToIPC(table, 'stream'));
  const props = new pq.WriterPropertiesBuilder().setCompression(pq.Compression.ZSTD).setWriterVersion(pq.WriterVersion.V2).setMaxRowGroupSize(100).build();
  fs.writeFileSync('arrow-rs.parquet', pq.writeParquet(stream, props));
})();
