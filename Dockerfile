# Builds the program and shows the demo: docker build -t quickselection . && docker run quickselection
FROM debian:12
RUN apt-get update && apt-get install -y --no-install-recommends make git ca-certificates
COPY . /quickselection
WORKDIR /quickselection
RUN make demo
ENTRYPOINT ["build/release/bin/quickselection"]
CMD ["demo"]
