// Calls a service through xDS again and again and prints who answered, whenever that changes, and every failure.
'use strict';
const grpc = require('@grpc/grpc-js');
require('@grpc/grpc-js-xds').register();

const client = new grpc.Client(process.argv[2], grpc.credentials.createInsecure());
const bytes = (value) => value;
const end = Date.now() + 5 * 60 * 1000;
let last = '';

function call() {
  if (Date.now() > end) {
    process.exit(0);
  }
  const deadline = new Date(Date.now() + 120 * 1000);
  client.makeUnaryRequest('/parley.Peer/Name', bytes, bytes, Buffer.alloc(0), new grpc.Metadata(), {deadline}, (error, answer) => {
    const line = error ? `FAIL ${error.code} ${error.details}` : `OK ${answer}`;
    if (line !== last) {
      console.log(line);
      last = line;
    }
    setTimeout(call, 20);
  });
}

call();
