let rest = '';
process.stdin.setEncoding('utf8').on('data', (data) => {
  const lines = (rest + data).split('\n');
  rest = lines.pop();
  for (const line of lines) {
    const { id, input } = JSON.parse(line); // without input it is not UTF-8
    const accepted = input === undefined ? null : URL.canParse(input);
    console.log(JSON.stringify({ id, accepted }));
  }
});
